import type { ChatMessage } from "@parley/core/model/state";
import { useText } from "../../../kit/i18n.ts";
import { useConversationUi } from "./conversation-ui.ts";

/** Under a message of mine that asked who reads it: how many have; a press tells who. */
export function ReceiptStatus({ message }: { message: ChatMessage }) {
  const t = useText();
  const ui = useConversationUi();
  const { id, group } = message;
  if (id === null || group === null) return null;
  return (
    <button type="button" data-receipt onClick={() => ui.set({ dialog: { kind: "readers", id } })}>
      {group.receiptOk && group.readedCount > 0
        ? t("receipt.byAll")
        : t("receipt.byMany", { count: group.readedCount })}
    </button>
  );
}

/** Whether a message tells its sender who has read it. */
export function hasReceipt({ selfSend, id, group, sending }: ChatMessage): boolean {
  return selfSend && id !== null && sending === null && group?.receipt === true;
}
