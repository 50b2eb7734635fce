/** What changed for a person and is no stored message: the part of `store.ts` for the change feed. */
import type { ChatType } from "@parley/protocol/codes";
import type { GroupReceipt } from "./group-message-store.ts";
import type { SystemRow } from "./system-message-store.ts";

/**
 * Read positions of one chat as one person sees them; -1 is none. The system chat: target 0, positions are
 * seqNos, no `theirs`.
 */
export interface ReadPositions {
  type: ChatType;
  targetId: number;
  mine: number;
  theirs: number;
}

/** State that changed for a person after a change number. */
export interface ChangeSet {
  next: number;
  read: ReadPositions[];
  /** Clear marks. That of the system chat is a seqNo. */
  cleared: { type: ChatType; upTo: number }[];
  /** Hidden messages by chat, without those that have been cleared since. */
  hidden: { type: ChatType; targetId: number; ids: number[] }[];
  /** People whose messages in a group up to this id were removed for everybody. */
  purged: { groupId: number; userId: number; upTo: number }[];
  /** Receipts of the person's own group messages that others have read. */
  receipts: GroupReceipt[];
  system: SystemRow[];
}

/** What is read about changes. */
export interface ChangeReads {
  /** Everything that changed after `since`; 0 means from the beginning. */
  listChanges(userId: number, since: number): Promise<ChangeSet>;
}

/** What a transaction writes about a person's history as a whole. */
export interface ChangeWrites {
  /** Moves this person's clear marks to the newest messages: the person sees nothing up to now any more, and gets a change number. */
  clearMessages(userId: number): Promise<void>;
}
