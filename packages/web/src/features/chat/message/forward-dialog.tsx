import { useState } from "react";
import type { ChatKey } from "@parley/core/model/state";
import { useText } from "../../../kit/i18n.ts";
import { toasts } from "../../../kit/toasts.ts";
import { useClient } from "../../../kit/use-client.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { useConversationUi } from "./conversation-ui.ts";
import { RecipientPicker } from "./recipient-picker.tsx";

/** Sends copies of messages to the selected people and groups, one message after the other. */
export function ForwardDialog({ ids, onClose }: { ids: readonly number[]; onClose: () => void }) {
  const t = useText();
  const client = useClient();
  const ui = useConversationUi();
  const [selected, setSelected] = useState<readonly ChatKey[]>([]);
  // Recent chats come first. The order is read once, so that rows do not move while the dialog is open.
  const [recent] = useState(() => client.getState().chats.order);
  const send = () => {
    if (selected.length === 0) return;
    ui.set({ selected: null });
    onClose();
    void client.chats.forward(ui.key, ids, selected).then((result) => {
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
