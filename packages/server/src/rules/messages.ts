/** Stored rows as one reader sees them. */
import { MessageStatus, MessageType } from "@parley/protocol/codes";
import type { Act, PrivateMessage, SystemMessage, Tip } from "@parley/protocol/message";

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
  act: Act | null;
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

export function privateMessage(row: PrivateRow, status: MessageStatus): PrivateMessage {
  return {
    id: row.id,
    tmpId: row.tmpId,
    type: row.type,
    sendId: row.sendId,
    recvId: row.recvId,
    sendNickName: row.sendNickName,
    content: row.content,
    sendTime: row.sendTime,
    status,
    quoteMessage: null,
    isEdited: false,
    editedAt: null,
    tip: row.tip,
    act: row.act,
  };
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

/** `position`: the owner's read position in the system chat. */
export function systemMessage(row: SystemRow, position: number): SystemMessage {
  const isRequest = row.type === MessageType.FRIEND_APPLY || row.type === MessageType.GROUP_APPLY;
  return {
    id: row.id,
    seqNo: row.seqNo,
    type: row.type,
    title: row.title,
    intro: row.intro,
    coverUrl: row.coverUrl,
    content: row.content,
    status: row.seqNo <= position ? MessageStatus.READED : MessageStatus.SENDED,
    sendTime: row.sendTime,
    isVerifyMessage: isRequest,
    isPermanent: isRequest,
    isTop: isRequest,
  };
}
