import { useState } from "react";
import type { ChatKey } from "@parley/core/model/state";
import { toasts } from "../../../kit/dialogs/toasts.ts";
import { useText } from "../../../kit/i18n/i18n.ts";
import { useClient } from "../../../kit/loading/use-client.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { RecipientPicker } from "./recipient-picker.tsx";

interface ForwardToDialogProps {
  /** The chat of the messages. */
  from: ChatKey;
  ids: readonly number[];
  onSend?: () => void;
  onClose: () => void;
}

/** Sends copies of messages to the selected people and groups, one message after the other. */
export function ForwardToDialog({ from, ids, onSend, onClose }: ForwardToDialogProps) {
  const t = useText();
  const client = useClient();
  const [selected, setSelected] = useState<readonly ChatKey[]>([]);
  // Recent chats come first. The order is read once, so that rows do not move while the dialog is open.
  const [recent] = useState(() => client.getState().chats.order);
  const send = () => {
    if (selected.length === 0) return;
    onSend?.();
    onClose();
    void client.chats.forward(from, ids, selected).then((result) => {
      if (result.ok) toasts.success(t("compose.forwarded", { count: selected.length }));
      else toasts.failure(result.failure);
    });
  };
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={t("compose.forwardTitle", { count: ids.length })}
      isFlush
      onSubmit={send}
      footer={
        <>
          <Button onClick={onClose}>{t("app.cancel")}</Button>
          <Button variant="primary" type="submit" disabled={selected.length === 0}>
            {selected.length === 0 ? t("chat.send") : t("compose.sendTo", { count: selected.length })}
          </Button>
        </>
      }
    >
      <RecipientPicker
        label={t("compose.receivers")}
        hasGroups
        first={recent}
        selected={selected}
        onChange={setSelected}
      />
    </Dialog>
  );
}
