/** What private and group messages have in common in the store. */
import type { ChatType } from "@parley/protocol/codes";
import type { CallResult, Tip } from "@parley/protocol/message";
import type { MessageExtra } from "@parley/protocol/message-extra";

/** The kinds of chats whose messages people write. */
export type ChatKind = typeof ChatType.PRIVATE | typeof ChatType.GROUP;

/** A message to append. */
export interface NewMessage {
  tmpId: string | null;
  type: number;
  sendId: number;
  sendNickName: string;
  content: string;
  /** When the server received it, epoch ms. The store may choose a later time to keep the order. */
  sendTime: number;
  /** Its time may not be before this one. */
  notBefore?: number;
  tip?: Tip;
  act?: CallResult;
  /** Only this person sees the row. */
  onlyFor?: number;
  /** The row that it quotes, read in the same transaction. For an edit (7), the row that it changes. */
  quote?: QuotedRow;
}

/** A stored message. */
export interface StoredMessage {
  id: number;
  tmpId: string | null;
  type: number;
  sendId: number;
  sendNickName: string;
  content: string;
  /** Never before that of a message with a lower id, so it orders and is shown. It may lie in the future after a clock was ahead. */
  sendTime: number;
  /** When it was received, if that was clearly before `sendTime`; null if it was then. */
  receivedAt: number | null;
  tip: Tip | null;
  act: CallResult | null;
  onlyFor: number | null;
  quote: QuotedRow | null;
  /** When its text was last changed. */
  editedAt: number | null;
  /** The id of its recall event (10); null if it is not recalled. */
  noticeId: number | null;
}

/** The result of appending a message. */
export interface Appended<Row> {
  row: Row;
  isNew: boolean;
  /** For a group: a copy of the group with this many member changes contains every join and leave before the row. */
  memberChanges?: number;
  /** Members who must not get the message although they are in the group. */
  except?: readonly number[];
  /** What the message began with: a poll. */
  extra?: MessageExtra;
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

/** Which page of a history is wanted. */
export type HistoryPage =
  | { from: "newest"; size: number }
  | { from: "before"; id: number; size: number }
  | { from: "after"; id: number; size: number }
  | { from: "around"; id: number; size: number }
  | { from: "time"; at: number; size: number }
  | { from: "page"; page: number; size: number };

/** What to search for. */
export interface MessageSearch {
  /** Empty: every message of `types`, which are kinds with files. */
  text: string;
  /** Only in the chat with this person, or in this group. */
  targetId?: number;
  sendId?: number;
  types?: readonly number[];
  /** Epoch ms, both inclusive. */
  from?: number;
  to?: number;
  /** Only rows with lower ids: the `next` of the page before. */
  below?: number;
  size: number;
  /** The highest `total`. */
  totalMax: number;
}

/** A page of search results. */
export interface Found<Row> {
  rows: Row[];
  /** The number of rows on all pages. */
  total: number;
  /** Where the next page continues; null if there is none. */
  next: number | null;
  /** How many rows had to be read. */
  scannedRows: number;
}

/** What a pull asks for. */
export interface PullWindow {
  /** The highest id that the client has; 0 if it has nothing. */
  minId: number;
  /** Rows stored up to this long before the cursor's row are sent again. */
  overlapMs: number;
  /** Rows older than this time are left out. Clients get them from the history. */
  notBefore: number;
  /** A first pull (minId 0) has at most this many rows, the newest. */
  firstMax: number;
}
