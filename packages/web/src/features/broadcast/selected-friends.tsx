import { X } from "lucide-react";
import { useText } from "../../kit/i18n.ts";
import type { SelectorEntry } from "../../kit/selector/selection.ts";
import { useClient } from "../../kit/use-client.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { ICON_PROPS_14 } from "../../ui/icon-props.ts";
import styles from "./broadcast.module.css";

/** How many of the selected friends are shown: the last ones. All are ticked in the list. */
const SHOWN_MAX = 30;

/** The selected friends, each with a button that takes them away. */
export function SelectedFriends({ selected }: { selected: readonly SelectorEntry[] }) {
  const t = useText();
  const client = useClient();
  if (selected.length === 0) return <p className={styles.hint}>{t("broadcast.nobodySelected")}</p>;
  const remove = (userId: number) => {
    const { userIds } = client.getState().broadcast.draft;
    client.broadcast.select(userIds.filter((id) => id !== userId));
  };
  const hiddenCount = Math.max(0, selected.length - SHOWN_MAX);
  return (
    <ul className={styles.selected} aria-label={t("broadcast.recipients")} tabIndex={0}>
      {selected.slice(-SHOWN_MAX).map(({ userId, showNickName, headImage }) => (
        <li key={userId} className={styles.friend}>
          <Avatar name={showNickName} url={headImage && client.fileUrl(headImage)} id={userId} size={24} />
          <bdi className={styles.friendName}>{showNickName}</bdi>
          <button
            type="button"
            className={styles.remove}
            aria-label={t("members.remove", { name: showNickName })}
            onClick={() => remove(userId)}
          >
            <X {...ICON_PROPS_14} />
          </button>
        </li>
      ))}
      {hiddenCount > 0 && <li className={styles.hidden}>{t("broadcast.more", { count: hiddenCount })}</li>}
    </ul>
  );
}
