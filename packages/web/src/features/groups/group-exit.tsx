import { openDialog } from "../../kit/open-dialog.ts";
import { useText } from "../../kit/i18n.ts";
import { Button } from "../../ui/button.tsx";
import { useGroupPermission } from "./use-group-permission.ts";
import styles from "./group-detail.module.css";

/** Buttons to leave: an owner transfers the group or dissolves it, others leave it. */
export function GroupExit({ groupId }: { groupId: number }) {
  const t = useText();
  const canTransfer = useGroupPermission(groupId, "transfer");
  const canDissolve = useGroupPermission(groupId, "dissolve");
  const canLeave = useGroupPermission(groupId, "quit");
  return (
    <footer className={styles.footer}>
      {canDissolve && <p className={styles.footerHint}>{t("groups.ownerStaysHint")}</p>}
      {canTransfer && (
        <Button size="small" onClick={() => openDialog({ kind: "pickMembers", groupId, action: "transfer" })}>
          {t("groups.transfer")}
        </Button>
      )}
      {canDissolve && (
        <Button
          variant="danger"
          size="small"
          onClick={() => openDialog({ kind: "leaveGroup", groupId, how: "dissolve" })}
        >
          {t("groups.dissolve")}
        </Button>
      )}
      {canLeave && (
        <Button
          variant="danger"
          size="small"
          onClick={() => openDialog({ kind: "leaveGroup", groupId, how: "quit" })}
        >
          {t("groups.quit")}
        </Button>
      )}
    </footer>
  );
}
