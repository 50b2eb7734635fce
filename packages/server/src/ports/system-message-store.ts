/** System messages: the part of `store.ts` for the system chats. */

/** A message to append to a system chat. */
export interface NewSystemMessage {
  userId: number;
  type: number;
  title?: string | null;
  intro?: string | null;
  coverUrl?: string | null;
  content: string;
  sendTime: number;
  /** The friend request that this message is about, so that the message can show its state. */
  requestId?: number;
  /** The request to join a group that this message is about. */
  groupRequestId?: number;
  /** The notice that has the body of this message. */
  noticeId?: number;
}

/** A stored message of a system chat. */
export interface SystemRow {
  id: number;
  userId: number;
  seqNo: number;
  type: number;
  title: string | null;
  intro: string | null;
  coverUrl: string | null;
  content: string;
  sendTime: number;
  requestId: number | null;
  noticeId: number | null;
}

/** What is read about system messages. */
export interface SystemMessageReads {
  /** Rows with seqNo > after, ascending. */
  listSystem(userId: number, after: number, limit: number): Promise<SystemRow[]>;
  /** The seqNo of the newest row up to `seqNo` that was sent more than `overlapMs` before the newest of these rows; 0 if there is none. */
  systemSeqNoBefore(userId: number, seqNo: number, overlapMs: number): Promise<number>;
  /** 0 if there is none. */
  newestSystemSeqNo(userId: number): Promise<number>;
  /** -1 if nothing was read. */
  systemReadPosition(userId: number): Promise<number>;
  /** The system message about a friend request, in the receiver's system chat; undefined if it was cleared. */
  findSystemByRequest(requestId: number): Promise<SystemRow | undefined>;
  /** The system messages about a request to join a group, one for each owner or admin, without cleared ones. */
  listSystemByGroupRequest(groupRequestId: number): Promise<SystemRow[]>;
  /** Undefined also for a message that its owner has cleared. */
  findSystem(id: number): Promise<SystemRow | undefined>;
}

/** What a transaction writes about system messages. */
export interface SystemMessageWrites {
  /** Gives the person's next seqNo, without gaps. */
  appendSystem(message: NewSystemMessage): Promise<SystemRow>;
  /** Stores the new content of a system message (a handled request). Its owner gets a change number. */
  updateSystem(id: number, content: string): Promise<SystemRow>;
  /** Counts the notices up to there as read too. False if the position is not lower. */
  raiseSystemRead(userId: number, seqNo: number): Promise<boolean>;
}
