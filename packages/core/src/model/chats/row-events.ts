import { MessageStatus, MessageType } from "@parley/protocol/codes";
import type { QuoteMessage, Tip } from "@parley/protocol/message";
import type { ChatMessage, GroupPart, RowEvent } from "../state.ts";

/** A quote of what the reader is not to see: from before he came into the group, or of somebody whose messages are gone. */
export function isMaskedQuote({ type, content, status }: QuoteMessage): boolean {
  return type === MessageType.TIP_TEXT && content === "" && status !== MessageStatus.RECALL;
}

export function maskedQuote({ id, sendId }: QuoteMessage): QuoteMessage {
  return { id, sendId, type: MessageType.TIP_TEXT, content: "", status: MessageStatus.SENDED };
}

/** A quote of what was taken back; the reader's screen writes the sentence. */
export function recalledQuote({ id, sendId }: QuoteMessage): QuoteMessage {
  return { id, sendId, content: "", type: MessageType.TIP_TEXT, status: MessageStatus.RECALL };
}

/** The message after the event, wherever it lies: in the window or on disk. Applying it twice does nothing. */
export function applyRowEvent(message: ChatMessage, event: RowEvent): ChatMessage {
  if (message.id === event.targetId) return applyToTarget(message, event);
  const quote = message.quoteMessage;
  if (quote?.id !== event.targetId || quote.status === MessageStatus.RECALL || isMaskedQuote(quote))
    return message;
  if (event.type === MessageType.RECALL) return { ...message, quoteMessage: recalledQuote(quote) };
  if (quote.content === event.content) return message;
  return { ...message, quoteMessage: { ...quote, content: event.content } };
}

/** A message as it stands after all events that are known of late. */
export function applyRowEvents(message: ChatMessage, events: readonly RowEvent[]): ChatMessage {
  let after = message;
  for (const event of events) after = applyRowEvent(after, event);
  return after;
}

/** How many messages a chat remembers the last event of. */
const EVENTS_MAX = 50;

/** The events of late with one more; and what now holds for its target, which is an earlier one's doing if that came later. */
export function recordRowEvent(
  events: readonly RowEvent[],
  incoming: RowEvent,
): { events: readonly RowEvent[]; event: RowEvent } {
  const known = events.find((event) => event.targetId === incoming.targetId);
  if (known !== undefined && !isLaterEvent(incoming, known)) return { events, event: known };
  const others = known === undefined ? events : events.filter((event) => event !== known);
  return { events: [...others, incoming].slice(-EVENTS_MAX), event: incoming };
}

/** A recall is the end; of two edits the one that was stored later holds. */
function isLaterEvent(a: RowEvent, b: RowEvent): boolean {
  return a.type === b.type ? a.id > b.id : a.type === MessageType.RECALL;
}

/** What is said of a message that was taken back. */
export function recallTip(
  sender: { readonly sendId: number; readonly sendNickName: string },
  by: RowEvent["by"],
): Tip {
  const author = sender.sendNickName;
  return by === null || by.id === sender.sendId
    ? { key: "recalled", params: { name: author } }
    : { key: "recalledBy", params: { name: by.name, nameId: by.id, author } };
}

/** What is left of a message that was taken back: a sentence in its place. */
export function recalledMessage(message: ChatMessage, by: RowEvent["by"] = null): ChatMessage {
  return {
    ...message,
    type: MessageType.TIP_TEXT,
    content: "",
    status: MessageStatus.RECALL,
    tip: recallTip(message, by),
    act: null,
    quoteMessage: null,
    isEdited: false,
    editedAt: null,
    group: withoutReaders(message.group),
  };
}

/** Whom a message named, and who has read it, is kept of none that was taken back. */
export function withoutReaders(group: GroupPart | null): GroupPart | null {
  return group === null
    ? null
    : { ...group, atUserIds: [], receipt: false, receiptOk: false, readedCount: 0 };
}

function applyToTarget(message: ChatMessage, event: RowEvent): ChatMessage {
  if (message.status === MessageStatus.RECALL) return message;
  switch (event.type) {
    case MessageType.EDIT:
      if ((message.editedAt ?? 0) > event.sendTime) return message;
      if (message.editedAt === event.sendTime && message.content === event.content) return message;
      return { ...message, content: event.content, isEdited: true, editedAt: event.sendTime };
    case MessageType.RECALL:
      return recalledMessage(message, event.by);
    default:
      return event.type satisfies never;
  }
}
