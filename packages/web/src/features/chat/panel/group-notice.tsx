import { useEffect, useState } from "react";
import { openDialog } from "../../../kit/open-dialog.ts";
import { useText } from "../../../kit/i18n.ts";
import { useClient, useClientState } from "../../../kit/use-client.ts";
import { classNames } from "../../../ui/class-names.ts";
import styles from "./group-panel.module.css";

/** From so many characters or lines on a notice begins cut off. */
const LONG_CHARACTERS = 140;
const LONG_LINES = 6;

/** The notice of a group, whole. Who sees it here has read it. */
export function GroupNotice({ groupId, canEdit }: { groupId: number; canEdit: boolean }) {
  const t = useText();
  const client = useClient();
  const notice = useClientState((state) => state.groups.byId[groupId]?.notice ?? "");
  const [isWhole, setWhole] = useState(false);
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
        <p className={styles.faint}>{t("groups.noNotice")}</p>
      ) : (
        <p className={classNames(styles.noticeText, isLong && !isWhole && styles.cut)} dir="auto">
          {notice}
        </p>
      )}
      {isLong && (
        <button
          type="button"
          className={styles.edit}
          aria-expanded={isWhole}
          onClick={() => setWhole(!isWhole)}
        >
          {t(isWhole ? "groupInfo.less" : "groupInfo.more")}
        </button>
      )}
    </section>
  );
}
