import { MessageStatus } from "@parley/protocol/codes";
import { withoutReaders } from "./row-events.ts";
import { mergeReceipts } from "./receipts.ts";
import { isHandled, systemRequestOf } from "./chat-rows.ts";
import type { ChatMessage, GroupPart } from "../state.ts";

/**
 * One message out of what is known and what has come: by id or tmpId known twice (spec §4). What was recalled stays recalled, a newer
 * edit and a read mark stay, whichever of the two comes later: a slow answer must not bring old content back. Answers `known` itself
 * when nothing changes.
 */
export function mergeMessages(known: ChatMessage, incoming: ChatMessage): ChatMessage {
  const merged: ChatMessage = {
    ...(isOlderContent(known, incoming) ? contentOf(incoming, known) : incoming),
    key: known.key,
    tmpId: known.tmpId ?? incoming.tmpId,
    status: statusOf(known, incoming),
    ...(isQuoteNewer(known, incoming) && { quoteMessage: known.quoteMessage }),
    hasTimeTip: known.hasTimeTip,
    group: groupOf(known, incoming),
  };
  return isSame(known, merged) ? known : merged;
}

/** What is known here before the server has it says nothing yet of who sends in which role. */
function groupOf(known: ChatMessage, incoming: ChatMessage): GroupPart | null {
  if (statusOf(known, incoming) === MessageStatus.RECALL)
    return withoutReaders(incoming.group ?? known.group);
  if (known.group === null || incoming.group === null || known.id === null)
    return incoming.group ?? known.group;
  return mergeReceipts(known.group, incoming.group);
}

function isOlderContent(known: ChatMessage, incoming: ChatMessage): boolean {
  if (known.id === null) return false;
  if (known.status === MessageStatus.RECALL) return incoming.status !== MessageStatus.RECALL;
  if (systemRequestOf(known) && systemRequestOf(incoming)) return isHandled(known) && !isHandled(incoming);
  return incoming.status !== MessageStatus.RECALL && (known.editedAt ?? 0) > (incoming.editedAt ?? 0);
}

/** Of a message that was itself taken back nothing is quoted any more. */
function isQuoteNewer(known: ChatMessage, incoming: ChatMessage): boolean {
  return isQuoteRecalled(known) && !isQuoteRecalled(incoming) && incoming.status !== MessageStatus.RECALL;
}

function isQuoteRecalled(message: ChatMessage): boolean {
  return message.quoteMessage?.status === MessageStatus.RECALL;
}

/** `base` with the content of `from`. */
function contentOf(base: ChatMessage, from: ChatMessage): ChatMessage {
  const { type, content, tip, act, quoteMessage, isEdited, editedAt, system } = from;
  return { ...base, type, content, tip, act, quoteMessage, isEdited, editedAt, system };
}

function statusOf(known: ChatMessage, incoming: ChatMessage): MessageStatus {
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
    a.sendNickName === b.sendNickName &&
    a.sending === b.sending &&
    a.failure === b.failure &&
    a.editedAt === b.editedAt &&
    a.group?.receipt === b.group?.receipt &&
    a.group?.readedCount === b.group?.readedCount &&
    a.group?.receiptOk === b.group?.receiptOk &&
    a.quoteMessage?.type === b.quoteMessage?.type &&
    a.quoteMessage?.status === b.quoteMessage?.status &&
    a.quoteMessage?.content === b.quoteMessage?.content
  );
}
