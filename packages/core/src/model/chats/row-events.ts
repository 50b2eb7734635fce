import { MessageStatus, MessageType } from "@parley/protocol/codes";
import type { QuoteMessage, Tip } from "@parley/protocol/message";
import type { ChatMessage, GroupPart, RowEvent } from "../state.ts";

/** Whether a quote is masked: the reader may not see the quoted message, because it is older than their membership or was removed. */
export function isMaskedQuote({
  type,
  content,
  status,
}: Pick<QuoteMessage, "type" | "content"> & { status?: number }): boolean {
  return type === MessageType.TIP_TEXT && content === "" && status !== MessageStatus.RECALL;
}

/** The quote without the text of the quoted message. */
export function maskedQuote({ id, sendId }: QuoteMessage): QuoteMessage {
  return { id, sendId, type: MessageType.TIP_TEXT, content: "", status: MessageStatus.SENDED };
}

/** The quote of a recalled message. The screen writes the text for it. */
export function recalledQuote({ id, sendId }: QuoteMessage): QuoteMessage {
  return { id, sendId, content: "", type: MessageType.TIP_TEXT, status: MessageStatus.RECALL };
}

/** The message after an event on it or on the message it quotes. Applying an event twice changes nothing. */
export function applyRowEvent(message: ChatMessage, event: RowEvent): ChatMessage {
  if (message.id === event.targetId) return applyToTarget(message, event);
  const quote = message.quoteMessage;
  if (quote?.id !== event.targetId || quote.status === MessageStatus.RECALL || isMaskedQuote(quote))
    return message;
  if (event.type === MessageType.RECALL) return { ...message, quoteMessage: recalledQuote(quote) };
  if (quote.content === event.content) return message;
  return { ...message, quoteMessage: { ...quote, content: event.content } };
}

/** The message after all recorded events. */
export function applyRowEvents(message: ChatMessage, events: readonly RowEvent[]): ChatMessage {
  let after = message;
  for (const event of events) after = applyRowEvent(after, event);
  return after;
}

/** For how many messages a chat remembers the last event. */
const EVENTS_MAX = 50;

/** Records an event. Also returns the event that now counts for its target: the recorded one if that is later. */
export function recordRowEvent(
  events: readonly RowEvent[],
  incoming: RowEvent,
): { events: readonly RowEvent[]; event: RowEvent } {
  const known = events.find((event) => event.targetId === incoming.targetId);
  if (known !== undefined && !isLaterEvent(incoming, known)) return { events, event: known };
  const others = known === undefined ? events : events.filter((event) => event !== known);
  return { events: [...others, incoming].slice(-EVENTS_MAX), event: incoming };
}

/** A recall is later than any edit; of two edits, the one stored later counts. */
function isLaterEvent(a: RowEvent, b: RowEvent): boolean {
  return a.type === b.type ? a.id > b.id : a.type === MessageType.RECALL;
}

/** The tip in place of a recalled message. */
export function recallTip(
  sender: { readonly sendId: number; readonly sendNickName: string },
  by: RowEvent["by"],
): Tip {
  const author = sender.sendNickName;
  return by === null || by.id === sender.sendId
    ? { key: "recalled", params: { name: author } }
    : { key: "recalledBy", params: { name: by.name, nameId: by.id, author } };
}

/** A recalled message: a tip without content. */
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
    extra: undefined,
  };
}

/** The group part of a recalled message: without mentions and receipts. */
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
