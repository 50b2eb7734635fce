import { useState } from "react";
import { useText } from "../../../kit/i18n.ts";
import { useClient } from "../../../kit/use-client.ts";
import { ConfirmDialog } from "../../../ui/dialog.tsx";
import { useConversationUi } from "./conversation-ui.ts";
import { startRemoval } from "./start-removal.ts";

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
  const [endRemoval] = useState(startRemoval);
  const recall = () => {
    onClose();
    void client.chats.recall(ui.key, id).then(endRemoval);
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
