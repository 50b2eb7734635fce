import { useState } from "react";
import { useText } from "../../../kit/i18n.ts";
import { toasts } from "../../../kit/toasts.ts";
import { useClient } from "../../../kit/use-client.ts";
import { ConfirmDialog } from "../../../ui/dialog.tsx";
import { useConversationUi } from "./conversation-ui.ts";
import { focusNeighbour } from "./focus-neighbour.ts";

interface RecallDialogProps {
  id: number;
  /** The name of the sender. */
  name: string;
  onClose: () => void;
}

/** Asks for confirmation before a message of somebody else is recalled. */
export function RecallDialog({ id, name, onClose }: RecallDialogProps) {
  const t = useText();
  const client = useClient();
  const ui = useConversationUi();
  const [restoreFocus] = useState(focusNeighbour);
  const recall = () => {
    onClose();
    void client.chats.recall(ui.key, id).then((result) => {
      if (result.ok) requestAnimationFrame(restoreFocus);
      else toasts.failure(result.failure);
    });
  };
  return (
    <ConfirmDialog
      isOpen
      isDanger
      title={t("moderate.recallTitle", { name })}
      body={t("moderate.recallBody")}
      confirmLabel={t("act.recall")}
      cancelLabel={t("app.cancel")}
      onCancel={onClose}
      onConfirm={recall}
    />
  );
}
