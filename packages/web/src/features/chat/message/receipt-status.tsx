import type { ChatMessage } from "@parley/core/model/state";
import { useText } from "../../../kit/i18n.ts";
import { useMessageActions } from "./use-message-actions.ts";

/** Under an own message with a receipt request: how many have read it. A click shows who. */
export function ReceiptStatus({ message }: { message: ChatMessage }) {
  const t = useText();
  const runAction = useMessageActions();
  const { id, group } = message;
  if (id === null || group === null) return null;
  return (
    <button type="button" data-receipt onClick={() => runAction("readers", message)}>
      {group.receiptOk && group.readedCount > 0
        ? t("receipt.byAll")
        : t("receipt.byMany", { count: group.readedCount })}
    </button>
  );
}

/** Whether an own message has a receipt status. */
export function hasReceipt({ selfSend, id, group, sending }: ChatMessage): boolean {
  return selfSend && id !== null && sending === null && group?.receipt === true;
}
