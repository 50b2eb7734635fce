import { MessageStatus } from "@parley/protocol/codes";
import { withoutReaders } from "./events.ts";
import { mergeReceipts } from "./receipts.ts";
import { isHandled, requestOf } from "./rows.ts";
import type { ChatMessage, GroupPart } from "./state.ts";

/**
 * One message out of what is known and what has come: by id or tmpId known twice (spec §4). What was recalled stays recalled, a newer
 * edit and a read mark stay, whichever of the two comes later: a slow answer must not bring old content back. Answers `known` itself
 * when nothing changes.
 */
export function mergeMessages(known: ChatMessage, came: ChatMessage): ChatMessage {
  const merged: ChatMessage = {
    ...(isOlderContent(known, came) ? contentOf(came, known) : came),
    key: known.key,
    tmpId: known.tmpId ?? came.tmpId,
    status: statusOf(known, came),
    ...(isQuoteNewer(known, came) && { quoteMessage: known.quoteMessage }),
    hasTimeTip: known.hasTimeTip,
    group: groupOf(known, came),
  };
  return isSame(known, merged) ? known : merged;
}

/** What is known here before the server has it says nothing yet of who sends in which role. */
function groupOf(known: ChatMessage, came: ChatMessage): GroupPart | null {
  if (statusOf(known, came) === MessageStatus.RECALL) return withoutReaders(came.group ?? known.group);
  if (known.group === null || came.group === null || known.id === null) return came.group ?? known.group;
  return mergeReceipts(known.group, came.group);
}

function isOlderContent(known: ChatMessage, came: ChatMessage): boolean {
  if (known.id === null) return false;
  if (known.status === MessageStatus.RECALL) return came.status !== MessageStatus.RECALL;
  if (requestOf(known) && requestOf(came)) return isHandled(known) && !isHandled(came);
  return came.status !== MessageStatus.RECALL && (known.editedAt ?? 0) > (came.editedAt ?? 0);
}

/** Of a message that was itself taken back nothing is quoted any more. */
function isQuoteNewer(known: ChatMessage, came: ChatMessage): boolean {
  return isQuoteRecalled(known) && !isQuoteRecalled(came) && came.status !== MessageStatus.RECALL;
}

function isQuoteRecalled(message: ChatMessage): boolean {
  return message.quoteMessage?.status === MessageStatus.RECALL;
}

/** `base` with the content of `from`. */
function contentOf(base: ChatMessage, from: ChatMessage): ChatMessage {
  const { type, content, tip, act, quoteMessage, isEdited, editedAt, system } = from;
  return { ...base, type, content, tip, act, quoteMessage, isEdited, editedAt, system };
}

function statusOf(known: ChatMessage, came: ChatMessage): MessageStatus {
  if (known.status === MessageStatus.RECALL || came.status === MessageStatus.RECALL)
    return MessageStatus.RECALL;
  return known.status === MessageStatus.READED ? known.status : came.status;
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
