/** What rows of private chats and of groups have in common. */

import type { Tip } from "@parley/protocol/message";

export interface Appended<Row> {
  row: Row;
  isNew: boolean;
  /** Of a group: who came or left before the row is known to whoever has seen so many of the changes of its members. */
  memberChanges?: number;
  /** Who is not to hear of it, though there for it. */
  except?: readonly number[];
}

/** A quoted row as it stands now; `content` is empty once it is recalled, or gone with its sender: then it is a tip (21). */
export interface QuotedRow {
  id: number;
  sendId: number;
  content: string;
  type: number;
  isRecalled: boolean;
}

/** New text of a message, told by the event (7). */
export interface MessageEdit {
  id: number;
  eventId: number;
  content: string;
  editedAt: number;
}

/** What stands in place of a message, and the notice (10) that tells of it. */
export interface MessageRecall {
  id: number;
  noticeId: number;
  content: string;
  tip: Tip;
}
