import { MessageStatus } from "@parley/protocol/codes";
import { type Extra, mergeExtra } from "./extras.ts";
import { withoutReaders } from "./row-events.ts";
import { mergeReceipts } from "./receipts.ts";
import { isHandled, systemRequestOf } from "./chat-rows.ts";
import type { ChatMessage, GroupPart } from "../state.ts";

/**
 * Merges two copies of one message, found by id or tmpId (spec §4). Recalls, the newer edit and the read status win, whichever copy comes
 * later: a slow answer must not bring old content back. Returns `known` itself when nothing changes.
 */
export function mergeMessages(known: ChatMessage, incoming: ChatMessage): ChatMessage {
  const merged: ChatMessage = {
    ...(isOlderContent(known, incoming) ? withContentOf(incoming, known) : incoming),
    key: known.key,
    tmpId: known.tmpId ?? incoming.tmpId,
    status: mergedStatus(known, incoming),
    ...(isQuoteNewer(known, incoming) && { quoteMessage: known.quoteMessage }),
    hasTimeTip: known.hasTimeTip,
    group: mergedGroup(known, incoming),
    extra: mergedExtra(known, incoming),
  };
  return isSame(known, merged) ? known : merged;
}

/** The group part: a local echo does not know the role of its sender, so the server's part wins over it. */
function mergedGroup(known: ChatMessage, incoming: ChatMessage): GroupPart | null {
  if (mergedStatus(known, incoming) === MessageStatus.RECALL)
    return withoutReaders(incoming.group ?? known.group);
  if (known.group === null || incoming.group === null || known.id === null)
    return incoming.group ?? known.group;
  return mergeReceipts(known.group, incoming.group);
}

function mergedExtra(known: ChatMessage, incoming: ChatMessage): Extra | undefined {
  if (mergedStatus(known, incoming) === MessageStatus.RECALL) return undefined;
  return incoming.extra === undefined ? known.extra : mergeExtra(known.extra, incoming.extra);
}

function isOlderContent(known: ChatMessage, incoming: ChatMessage): boolean {
  if (known.id === null) return false;
  if (known.status === MessageStatus.RECALL) return incoming.status !== MessageStatus.RECALL;
  if (systemRequestOf(known) && systemRequestOf(incoming)) return isHandled(known) && !isHandled(incoming);
  return incoming.status !== MessageStatus.RECALL && (known.editedAt ?? 0) > (incoming.editedAt ?? 0);
}

/** Whether the quoted message was recalled according to `known` only. A message that is itself recalled quotes nothing. */
function isQuoteNewer(known: ChatMessage, incoming: ChatMessage): boolean {
  return isQuoteRecalled(known) && !isQuoteRecalled(incoming) && incoming.status !== MessageStatus.RECALL;
}

function isQuoteRecalled(message: ChatMessage): boolean {
  return message.quoteMessage?.status === MessageStatus.RECALL;
}

/** `base` with the content fields of `from`. */
function withContentOf(base: ChatMessage, from: ChatMessage): ChatMessage {
  const { type, content, tip, act, quoteMessage, isEdited, editedAt, system } = from;
  return { ...base, type, content, tip, act, quoteMessage, isEdited, editedAt, system };
}

function mergedStatus(known: ChatMessage, incoming: ChatMessage): MessageStatus {
  if (known.status === MessageStatus.RECALL || incoming.status === MessageStatus.RECALL)
    return MessageStatus.RECALL;
  return known.status === MessageStatus.READED ? known.status : incoming.status;
}

function isSame(a: ChatMessage, b: ChatMessage): boolean {
  return (
    a.id === b.id &&
    a.type === b.type &&
    a.content === b.content &&
    a.status === b.status &&
    a.sendTime === b.sendTime &&
    a.receivedAt === b.receivedAt &&
    a.sendNickName === b.sendNickName &&
    a.sending === b.sending &&
    a.failure === b.failure &&
    a.editedAt === b.editedAt &&
    a.extra === b.extra &&
    a.group?.receipt === b.group?.receipt &&
    a.group?.readedCount === b.group?.readedCount &&
    a.group?.receiptOk === b.group?.receiptOk &&
    a.quoteMessage?.type === b.quoteMessage?.type &&
    a.quoteMessage?.status === b.quoteMessage?.status &&
    a.quoteMessage?.content === b.quoteMessage?.content
  );
}
