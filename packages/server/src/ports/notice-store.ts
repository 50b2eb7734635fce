/** Notices of administrators: the part of `store.ts` for them. */

/** A notice of an administrator. The receivers' system messages refer to it. It has `richText`, `externLink` or both. */
export interface NoticeRow {
  id: number;
  title: string;
  intro: string;
  /** Sanitised HTML. */
  richText: string | null;
  externLink: string | null;
  createdAt: number;
  /** It goes to everybody up to this id; 0 if it was for some people only. */
  lastUserId: number;
  /** Everybody up to this id has got it. */
  reachedUserId: number;
  /** In how many system chats it is. Counted as it goes out, because its rows may be those of everybody. */
  receivedCount: number;
  /** In how many of them it was read. */
  readCount: number;
}

/** A notice that nobody has got yet. */
export type NewNoticeRow = Omit<NoticeRow, "id" | "receivedCount" | "readCount">;

/** What is read about notices. */
export interface NoticeReads {
  findNotice(id: number): Promise<NoticeRow | undefined>;
  /** The notices that have not reached all of their receivers, oldest first. */
  listUnfinishedNotices(): Promise<NoticeRow[]>;
}

/** What a transaction writes about notices. */
export interface NoticeWrites {
  insertNotice(notice: NewNoticeRow): Promise<NoticeRow>;
  /** So many more system chats have it. */
  addNoticeReceivers(id: number, count: number): Promise<void>;
  setNoticeReached(id: number, userId: number): Promise<void>;
}
