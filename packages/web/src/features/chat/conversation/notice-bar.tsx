import { Megaphone } from "lucide-react";
import { hasUnreadNotice } from "@parley/core/model/selectors";
import { useText } from "../../../kit/i18n.ts";
import { useClient, useClientState } from "../../../kit/use-client.ts";
import { Button } from "../../../ui/button.tsx";
import { ICON } from "../../../ui/icon.ts";
import { useSidePanel } from "../panel/use-side-panel.ts";
import styles from "./notice-bar.module.css";

/** The notice of a group, until somebody here has read it as it stands (interface §1). */
export function NoticeBar({ groupId }: { groupId: number }) {
  const t = useText();
  const client = useClient();
  const panel = useSidePanel();
  const isNew = useClientState((state) => hasUnreadNotice(state, groupId));
  const notice = useClientState((state) => state.groups.byId[groupId]?.notice ?? "");
  return (
    // The region stands there before a notice does, so that screen readers tell of one that comes.
    <div role="status" className={styles.region}>
      {isNew && (
        <div className={styles.bar} data-notice>
          <Megaphone {...ICON} className={styles.icon} />
          <span className={styles.title}>{t("chat.notice")}</span>
          <button type="button" className={styles.words} dir="auto" onClick={panel.open}>
            {notice}
          </button>
          <Button variant="quiet" size="small" onClick={() => client.groups.readNotice(groupId)}>
            {t("chat.noticeRead")}
          </Button>
        </div>
      )}
    </div>
  );
}
