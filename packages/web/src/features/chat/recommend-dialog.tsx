import { useState } from "react";
import { ChatType } from "@parley/protocol/codes";
import { chatKey } from "@parley/core/model/chats/chat-rows";
import type { ChatKey } from "@parley/core/model/state";
import { useText } from "../../kit/i18n/i18n.ts";
import { toasts } from "../../kit/dialogs/toasts.ts";
import { useClient } from "../../kit/loading/use-client.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { sendCard } from "./message/kinds/business-card.tsx";
import { RecipientPicker } from "./message/recipient-picker.tsx";

interface RecommendDialogProps {
  userId: number;
  name: string;
  onClose: () => void;
}

/** Sends the contact card of a friend to the selected people and groups. */
export function RecommendDialog({ userId, name, onClose }: RecommendDialogProps) {
  const t = useText();
  const client = useClient();
  const [selected, setSelected] = useState<readonly ChatKey[]>([]);
  // Recent chats come first. The order is read once, so that rows do not move while the dialog is open.
  const [recent] = useState(() => client.getState().chats.order);
  const send = () => {
    if (selected.length === 0) return;
    // The friend may have been removed since, on another device.
    const isSent = selected.map((to) => sendCard(client, to, userId)).every(Boolean);
    if (isSent) toasts.success(t("friend.recommended", { count: selected.length }));
    onClose();
  };
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={t("friend.recommendTitle", { name })}
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
        excluded={chatKey(ChatType.PRIVATE, userId)}
        selected={selected}
        onChange={setSelected}
      />
    </Dialog>
  );
}
