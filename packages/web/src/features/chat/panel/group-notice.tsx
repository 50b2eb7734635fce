import { useEffect, useState } from "react";
import { openDialog } from "../../../kit/open-dialog.ts";
import { useText } from "../../../kit/i18n.ts";
import { useClient, useClientState } from "../../../kit/use-client.ts";
import { classNames } from "../../../ui/class-names.ts";
import styles from "./group-panel.module.css";

/** A notice with more characters or lines than this is shown shortened first. */
const LONG_CHARACTERS = 140;
const LONG_LINES = 6;

/** The notice of a group. Showing it here marks it as read. */
export function GroupNotice({ groupId, canEdit }: { groupId: number; canEdit: boolean }) {
  const t = useText();
  const client = useClient();
  const notice = useClientState((state) => state.groups.byId[groupId]?.notice ?? "");
  const [isExpanded, setExpanded] = useState(false);
  const isLong = notice.length > LONG_CHARACTERS || notice.split("\n", LONG_LINES + 1).length > LONG_LINES;
  useEffect(() => {
    if (notice !== "") client.groups.readNotice(groupId);
  }, [client, groupId, notice]);
  return (
    <section className={styles.notice} aria-label={t("groupInfo.notice")}>
      <div className={styles.noticeHead}>
        <h3>{t("groupInfo.notice")}</h3>
        {canEdit && (
          <button
            type="button"
            className={styles.edit}
            aria-label={t("groups.editNotice")}
            onClick={() => openDialog({ kind: "groupNotice", groupId })}
          >
            {t("groupInfo.edit")}
          </button>
        )}
      </div>
      {notice === "" ? (
        <p className={styles.muted}>{t("groups.noNotice")}</p>
      ) : (
        <p className={classNames(styles.noticeText, isLong && !isExpanded && styles.clamped)} dir="auto">
          {notice}
        </p>
      )}
      {isLong && (
        <button
          type="button"
          className={styles.edit}
          aria-expanded={isExpanded}
          onClick={() => setExpanded(!isExpanded)}
        >
          {t(isExpanded ? "groupInfo.less" : "groupInfo.more")}
        </button>
      )}
    </section>
  );
}
