import { useState } from "react";
import { useText } from "../../../kit/i18n.ts";
import { toasts } from "../../../kit/toasts.ts";
import { useClient } from "../../../kit/use-client.ts";
import { ConfirmDialog } from "../../../ui/dialog.tsx";
import { useDesk } from "../message/desk.ts";
import { focusBeside } from "../message/focus-beside.ts";

/** Asks before messages are deleted for oneself. */
export function DeleteDialog({ ids, onClose }: { ids: readonly number[]; onClose: () => void }) {
  const t = useText();
  const client = useClient();
  const desk = useDesk();
  const [stay] = useState(focusBeside);
  const remove = () => {
    desk.set({ chosen: null });
    onClose();
    void client.chats.hide(desk.key, ids).then((done) => {
      if (done.ok) requestAnimationFrame(stay);
      else toasts.failure(done.failure);
    });
  };
  return (
    <ConfirmDialog
      isOpen
      isDanger
      title={t("compose.deleteTitle", { count: ids.length })}
      body={t("compose.deleteBody")}
      confirmLabel={t("act.delete")}
      cancelLabel={t("app.cancel")}
      onCancel={onClose}
      onConfirm={remove}
    />
  );
}
