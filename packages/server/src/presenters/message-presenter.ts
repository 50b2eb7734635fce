/** Stored messages as one reader sees them. */
import { MessageStatus, MessageType, RequestStatus } from "@parley/protocol/codes";
import { kindOf, type PrivateMessage, type QuoteMessage, type SystemMessage } from "@parley/protocol/message";
import type { MessageExtra } from "@parley/protocol/message-extra";
import type { Language } from "../api/language.ts";
import type { PrivateRow } from "../ports/private-message-store.ts";
import type { QuotedRow } from "../ports/stored-message.ts";
import type { SystemRow } from "../ports/system-message-store.ts";

type PresentedMessage = Omit<PrivateRow, "onlyFor" | "receivedAt"> & Partial<Pick<PrivateRow, "receivedAt">>;

type PresentedSystemMessage = Omit<SystemRow, "userId" | "requestId" | "noticeId">;

/** A private message as one reader sees it. `status` is used unless the row is recalled; `language` is the reader's. */
export function privateMessage(
  row: PresentedMessage,
  status: MessageStatus,
  language: Language,
): PrivateMessage {
  return {
    id: row.id,
    tmpId: row.tmpId,
    type: row.type,
    sendId: row.sendId,
    recvId: row.recvId,
    sendNickName: row.sendNickName,
    content: row.content,
    sendTime: row.sendTime,
    ...(row.receivedAt != null && { receivedAt: row.receivedAt }),
    status: row.noticeId === null ? status : MessageStatus.RECALL,
    quoteMessage: row.quote && quoteMessage(row.quote, language),
    isEdited: row.editedAt !== null,
    editedAt: row.editedAt,
    tip: row.tip,
    act: row.act,
  };
}

/** A message with what people did to it. Of a recalled one, nothing of it is left. */
export function withExtra<Message extends { id: number; status: number }>(
  message: Message,
  extras: ReadonlyMap<number, MessageExtra>,
): Message & { extra?: MessageExtra } {
  const extra = extras.get(message.id);
  return extra === undefined || message.status === MessageStatus.RECALL ? message : { ...message, extra };
}

const RECALLED_QUOTE: Readonly<Record<Language, string>> = {
  "zh-CN": "引用内容已撤回",
  "zh-TW": "引用內容已收回",
  en: "The quoted message was recalled",
};

/** A quote as clients get it. A sentence replaces the content of a recalled message, so that every client shows it. */
export function quoteMessage({ isRecalled, ...quote }: QuotedRow, language: Language): QuoteMessage {
  if (isRecalled) return { ...quote, content: RECALLED_QUOTE[language], status: MessageStatus.RECALL };
  return { ...quote, status: MessageStatus.SENDED };
}

/** A quote as it is shown to somebody who was not a member when the quoted message was written. */
export function maskedQuote({ id, sendId }: Pick<QuotedRow, "id" | "sendId">): QuotedRow {
  return { id, sendId, content: "", type: MessageType.TIP_TEXT, isRecalled: false };
}

/** A row as other messages quote it. */
export function quotedRow({
  id,
  sendId,
  content,
  type,
  noticeId,
}: Omit<QuotedRow, "isRecalled"> & { noticeId: number | null }): QuotedRow {
  const isRecalled = noticeId !== null;
  return { id, sendId, content: isRecalled ? "" : content, type, isRecalled };
}

type Pair = Pick<PresentedMessage, "sendId" | "recvId">;

/** The other person of a row; oneself for a note to oneself. */
export function friendOf(userId: number, row: Pair): number {
  return row.sendId === userId ? row.recvId : row.sendId;
}

/** Whether both rows belong to the same chat. */
export function isOfChat(row: Pair, other: Pair): boolean {
  const isSame = row.sendId === other.sendId && row.recvId === other.recvId;
  return isSame || (row.sendId === other.recvId && row.recvId === other.sendId);
}

/** Whether a message may quote a row that its sender sees: the other person must see it too, and it must be of a kind that is shown. */
export function isQuotable(row: Pair & { type: number; onlyFor: number | null }, message: Pair): boolean {
  return isOfChat(row, message) && isForAll(row);
}

/** Whether a row is shown to everybody in its chat. */
export function isForAll({ type, onlyFor }: { type: number; onlyFor: number | null }): boolean {
  return onlyFor === null && (kindOf(type)?.shown ?? false);
}

/** A row is read up to the reader's position, and a row of the reader up to the friend's. Notes to oneself always count as read. */
export function statusFor(
  readerId: number,
  row: { id: number; sendId: number; recvId: number },
  positions: { mine: number; theirs: number } | undefined,
): MessageStatus {
  if (row.sendId === row.recvId) return MessageStatus.READED;
  if (positions === undefined) return MessageStatus.SENDED;
  const position = row.sendId === readerId ? positions.theirs : positions.mine;
  return row.id <= position ? MessageStatus.READED : MessageStatus.SENDED;
}

/** A system message as its owner sees it. `position` is the owner's read position; an answered request counts as read above it too. */
export function systemMessage(row: PresentedSystemMessage, position: number): SystemMessage {
  const isRequest = kindOf(row.type)?.isRequest === true;
  const isRead = row.seqNo <= position || (isRequest && isHandled(row.content));
  return {
    id: row.id,
    seqNo: row.seqNo,
    type: row.type,
    title: row.title,
    intro: row.intro,
    coverUrl: row.coverUrl,
    content: row.content,
    status: isRead ? MessageStatus.READED : MessageStatus.SENDED,
    sendTime: row.sendTime,
    isVerifyMessage: isRequest,
    isPermanent: isRequest,
    isTop: isRequest,
  };
}

/** Whether the request with this content was answered. */
function isHandled(content: string): boolean {
  const request = JSON.parse(content) as { status: number };
  return request.status !== RequestStatus.PENDING;
}
