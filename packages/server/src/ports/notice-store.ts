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
}

/** What is read about notices. */
export interface NoticeReads {
  findNotice(id: number): Promise<NoticeRow | undefined>;
  /** The notices that have not reached all of their receivers, oldest first. */
  listUnfinishedNotices(): Promise<NoticeRow[]>;
}

/** What a transaction writes about notices. */
export interface NoticeWrites {
  insertNotice(notice: Omit<NoticeRow, "id">): Promise<NoticeRow>;
  setNoticeReached(id: number, userId: number): Promise<void>;
}
