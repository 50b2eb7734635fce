/** Stored rows as one reader sees them. */
import { MessageStatus, MessageType, RequestStatus } from "@parley/protocol/codes";
import {
  kindOf,
  type CallResult,
  type PrivateMessage,
  type QuoteMessage,
  type SystemMessage,
  type Tip,
} from "@parley/protocol/message";

/** A quoted row as it stands now. */
interface QuotedRow {
  id: number;
  sendId: number;
  content: string;
  type: number;
  isRecalled: boolean;
}

interface PrivateRow {
  id: number;
  tmpId: string | null;
  type: number;
  sendId: number;
  recvId: number;
  sendNickName: string;
  content: string;
  sendTime: number;
  tip: Tip | null;
  act: CallResult | null;
  quote: QuotedRow | null;
  editedAt: number | null;
  noticeId: number | null;
}

interface SystemRow {
  id: number;
  seqNo: number;
  type: number;
  title: string | null;
  intro: string | null;
  coverUrl: string | null;
  content: string;
  sendTime: number;
}

/** Of a sentence that the server writes. */
export type Language = "zh-CN" | "zh-TW" | "en";

/** `status`: unless the row is recalled; `language`: of the reader. */
export function privateMessage(row: PrivateRow, status: MessageStatus, language: Language): PrivateMessage {
  return {
    id: row.id,
    tmpId: row.tmpId,
    type: row.type,
    sendId: row.sendId,
    recvId: row.recvId,
    sendNickName: row.sendNickName,
    content: row.content,
    sendTime: row.sendTime,
    status: row.noticeId === null ? status : MessageStatus.RECALL,
    quoteMessage: row.quote && quoteMessage(row.quote, language),
    isEdited: row.editedAt !== null,
    editedAt: row.editedAt,
    tip: row.tip,
    act: row.act,
  };
}

const RECALLED_QUOTE: Readonly<Record<Language, string>> = {
  "zh-CN": "引用内容已撤回",
  "zh-TW": "引用內容已收回",
  en: "The quoted message was recalled",
};

/** A quoted row as it travels: a sentence stands for what was taken back, so that every client shows it. */
export function quoteMessage({ isRecalled, ...quote }: QuotedRow, language: Language): QuoteMessage {
  if (isRecalled) return { ...quote, content: RECALLED_QUOTE[language], status: MessageStatus.RECALL };
  return { ...quote, status: MessageStatus.SENDED };
}

/** A quoted row as it is told to somebody who was not there when it was written. */
export function maskedQuote({ id, sendId }: Pick<QuotedRow, "id" | "sendId">): QuotedRow {
  return { id, sendId, content: "", type: MessageType.TIP_TEXT, isRecalled: false };
}

/** A row as others quote it. */
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

type Pair = Pick<PrivateRow, "sendId" | "recvId">;

/** The other one of a row; oneself for a note. */
export function friendOf(userId: number, row: Pair): number {
  return row.sendId === userId ? row.recvId : row.sendId;
}

/** Whether both rows stand in the same chat. */
export function isOfChat(row: Pair, other: Pair): boolean {
  const isSame = row.sendId === other.sendId && row.recvId === other.recvId;
  return isSame || (row.sendId === other.recvId && row.recvId === other.sendId);
}

/** Whether a message may quote the row, which its sender sees: both must see it, and it must be one that is shown. */
export function isQuotable(row: Pair & { type: number; onlyFor: number | null }, message: Pair): boolean {
  return isOfChat(row, message) && isForAll(row);
}

/** Whether a row is one that its whole chat is shown. */
export function isForAll({ type, onlyFor }: { type: number; onlyFor: number | null }): boolean {
  return onlyFor === null && (kindOf(type)?.shown ?? false);
}

/** Read: at or below the reader's position; for the reader's own rows at or below the friend's. Notes to oneself are read at once. */
export function statusFor(
  reader: number,
  row: { id: number; sendId: number; recvId: number },
  positions: { mine: number; theirs: number } | undefined,
): MessageStatus {
  if (row.sendId === row.recvId) return MessageStatus.READED;
  if (positions === undefined) return MessageStatus.SENDED;
  const position = row.sendId === reader ? positions.theirs : positions.mine;
  return row.id <= position ? MessageStatus.READED : MessageStatus.SENDED;
}

/** `position`: the owner's read position in the system chat. A request that was answered counts as read wherever that stands. */
export function systemMessage(row: SystemRow, position: number): SystemMessage {
  const isRequest = row.type === MessageType.FRIEND_APPLY || row.type === MessageType.GROUP_APPLY;
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

/** Whether the request that was stored as this content waits no more. */
function isHandled(content: string): boolean {
  const request = JSON.parse(content) as { status: number };
  return request.status !== RequestStatus.PENDING;
}
