/** What rows of private chats and of groups have in common. */

import type { Tip } from "@parley/protocol/message";

/** The result of appending a message. */
export interface Appended<Row> {
  row: Row;
  isNew: boolean;
  /** For a group: a copy of the group with this many member changes contains every join and leave before the row. */
  memberChanges?: number;
  /** Members who must not get the message although they are in the group. */
  except?: readonly number[];
}

/** A quoted row in its current state. `content` is empty if it was recalled, or if it was removed with its sender: then it is a tip (21). */
export interface QuotedRow {
  id: number;
  sendId: number;
  content: string;
  type: number;
  isRecalled: boolean;
}

/** The new text of a message, and the id of its event (7). */
export interface MessageEdit {
  id: number;
  eventId: number;
  content: string;
  editedAt: number;
}

/** What replaces a recalled message, and the id of its event (10). */
export interface MessageRecall {
  id: number;
  noticeId: number;
  content: string;
  tip: Tip;
}
