import { useState } from "react";
import { Ban, Ellipsis, Flag } from "lucide-react";
import { IconButton } from "../../ui/button.tsx";
import { ICON_PROPS, ICON_PROPS_14 } from "../../ui/icon-props.ts";
import { Menu, MenuItem } from "../../ui/menu.tsx";
import { openDialog } from "../dialogs/open-dialog.ts";
import { useText } from "../i18n/i18n.ts";
import styles from "./person-actions-menu.module.css";
import { useClient, useClientState } from "../loading/use-client.ts";

/** A chip that says that this person is blocked; nothing for others. */
export function BlockedChip({ userId }: { userId: number }) {
  const t = useText();
  const isBlocked = useIsBlocked(userId);
  if (!isBlocked) return null;
  return (
    <span className={styles.chip}>
      <Ban {...ICON_PROPS_14} />
      {t("block.state")}
    </span>
  );
}

function useIsBlocked(userId: number): boolean {
  return useClientState((state) => state.contacts.blacklist.includes(userId));
}

/** Menu of rare actions with a person. Blocking asks for confirmation, unblocking does not. The client's own notice reports a failure. */
export function PersonActionsMenu({ userId, name }: { userId: number; name: string }) {
  const t = useText();
  const { contacts } = useClient();
  const isBlocked = useIsBlocked(userId);
  const [isBusy, setBusy] = useState(false);
  const unblock = async () => {
    setBusy(true);
    await contacts.unblock(userId);
    setBusy(false);
  };
  return (
    <Menu
      align="end"
      trigger={
        <IconButton label={t("block.more")} disabled={isBusy}>
          <Ellipsis {...ICON_PROPS} />
        </IconButton>
      }
    >
      <MenuItem
        icon={<Flag {...ICON_PROPS} />}
        onSelect={() => openDialog({ kind: "report", thing: { userId }, name })}
      >
        {t("report.action")}
      </MenuItem>
      <MenuItem
        icon={<Ban {...ICON_PROPS} />}
        isDanger={!isBlocked}
        onSelect={() => (isBlocked ? void unblock() : openDialog({ kind: "confirmBlock", userId, name }))}
      >
        {t(isBlocked ? "block.unblock" : "block.block")}
      </MenuItem>
    </Menu>
  );
}
