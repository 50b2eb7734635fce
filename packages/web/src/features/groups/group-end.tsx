import { openDialog } from "../../kit/dialogs.ts";
import { useText } from "../../kit/i18n.ts";
import { Button } from "../../ui/button.tsx";
import { useMay } from "./use-verdict.ts";
import styles from "./group-detail.module.css";

/** The ways out: an owner hands the group over or dissolves it, others leave. */
export function GroupEnd({ groupId }: { groupId: number }) {
  const t = useText();
  const mayTransfer = useMay(groupId, "transfer");
  const mayDissolve = useMay(groupId, "dissolve");
  const mayQuit = useMay(groupId, "quit");
  return (
    <footer className={styles.footer}>
      {mayDissolve && <p className={styles.footerHint}>{t("groups.ownerStaysHint")}</p>}
      {mayTransfer && (
        <Button size="small" onClick={() => openDialog({ kind: "pickMembers", groupId, act: "transfer" })}>
          {t("groups.transfer")}
        </Button>
      )}
      {mayDissolve && (
        <Button
          variant="danger"
          size="small"
          onClick={() => openDialog({ kind: "leaveGroup", groupId, how: "dissolve" })}
        >
          {t("groups.dissolve")}
        </Button>
      )}
      {mayQuit && (
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
