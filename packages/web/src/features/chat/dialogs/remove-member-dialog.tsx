import { useState } from "react";
import { parseChatKey } from "@parley/core/model/rows";
import { useText } from "../../../kit/i18n.ts";
import { useClient } from "../../../kit/use-client.ts";
import { ConfirmDialog } from "../../../ui/dialog.tsx";
import { Checkbox } from "../../../ui/field.tsx";
import { useDesk } from "../message/desk.ts";
import styles from "./dialogs.module.css";

interface RemoveMemberDialogProps {
  userId: number;
  name: string;
  onClose: () => void;
}

/** Asks before somebody is removed from the group of this chat, and whether their messages shall go as well. */
export function RemoveMemberDialog({ userId, name, onClose }: RemoveMemberDialogProps) {
  const t = useText();
  const client = useClient();
  const desk = useDesk();
  const [withMessages, setWithMessages] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const remove = async () => {
    setBusy(true);
    const groupId = parseChatKey(desk.key)?.targetId ?? 0;
    // A refusal is told by a toast of its own.
    const done = await client.groups.removeMembers(groupId, [userId], withMessages);
    if (done.ok) onClose();
    else setBusy(false);
  };
  return (
    <ConfirmDialog
      isOpen
      isDanger
      isBusy={isBusy}
      title={t("groups.removeTitle", { name })}
      body={
        <>
          <p>{t("groups.removeBody")}</p>
          <div className={styles.choice}>
            <Checkbox checked={withMessages} onChange={setWithMessages}>
              {t("groups.removeMessages")}
            </Checkbox>
          </div>
        </>
      }
      confirmLabel={t("groups.remove")}
      cancelLabel={t("app.cancel")}
      onCancel={onClose}
      onConfirm={() => void remove()}
    />
  );
}
