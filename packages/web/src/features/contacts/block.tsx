import { useState } from "react";
import { Ban } from "lucide-react";
import { openDialog } from "../../kit/dialogs.ts";
import { useText } from "../../kit/i18n.ts";
import { useClient, useClientState } from "../../kit/use-client.ts";
import { ICON_14 } from "../../ui/icon.ts";
import styles from "./block.module.css";

/** Whether I have blocked this person. */
function useIsBlocked(userId: number): boolean {
  return useClientState((state) => state.contacts.blacklist.includes(userId));
}

/** Says that this person is blocked. */
export function BlockedChip() {
  const t = useText();
  return (
    <span className={styles.chip}>
      <Ban {...ICON_14} />
      {t("block.state")}
    </span>
  );
}

/** Blocks a person, who is asked about first, or takes that back at once. A failure is told by the client's own notice. */
export function useBlocking(userId: number, name: string) {
  const t = useText();
  const { contacts } = useClient();
  const isBlocked = useIsBlocked(userId);
  const [isBusy, setBusy] = useState(false);
  const unblock = async () => {
    setBusy(true);
    await contacts.unblock(userId);
    setBusy(false);
  };
  return {
    isBlocked,
    isBusy,
    label: t(isBlocked ? "block.unblock" : "block.block"),
    change: () => {
      if (isBlocked) void unblock();
      else openDialog({ kind: "confirmBlock", userId, name });
    },
  };
}
