import { MessageStatus, MessageType } from "@parley/protocol/codes";
import type { ChatMessage } from "./state.ts";

/** A stored row that is not shown but changes another one: an edit (7) or a recall (10). */
export interface RowEvent {
  readonly type: typeof MessageType.EDIT | typeof MessageType.RECALL;
  readonly targetId: number;
  /** New text of an edit, else empty. */
  readonly content: string;
  readonly sendTime: number;
}

/** The message after the event, wherever it lies: in the window or on disk. Applying it twice does nothing. */
export function applyEvent(message: ChatMessage, event: RowEvent): ChatMessage {
  const quote = message.quoteMessage;
  if (message.id === event.targetId) return applyToTarget(message, event);
  if (
    quote?.id !== event.targetId ||
    event.type !== MessageType.RECALL ||
    quote.status === MessageStatus.RECALL
  ) {
    return message;
  }
  return { ...message, quoteMessage: { ...quote, content: "", status: MessageStatus.RECALL } };
}

function applyToTarget(message: ChatMessage, event: RowEvent): ChatMessage {
  if (message.status === MessageStatus.RECALL) return message;
  switch (event.type) {
    case MessageType.EDIT:
      if ((message.editedAt ?? 0) >= event.sendTime) return message;
      return { ...message, content: event.content, isEdited: true, editedAt: event.sendTime };
    case MessageType.RECALL:
      return {
        ...message,
        type: MessageType.TIP_TEXT,
        content: "",
        status: MessageStatus.RECALL,
        tip: { key: "recalled", params: { name: message.sendNickName } },
        quoteMessage: null,
        isEdited: false,
        editedAt: null,
      };
    default:
      return event.type satisfies never;
  }
}
