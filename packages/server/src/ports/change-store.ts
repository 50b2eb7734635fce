/** What changed for a person and is no stored message: the part of `store.ts` for the change feed. */
import type { ChatType } from "@parley/protocol/codes";
import type { UserChanges } from "@parley/protocol/endpoints/changes";
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

/**
 * State that changed for a person after a change number: the answer of the change feed, with system messages as they are stored and without
 * extras, which have a number of their own.
 */
export interface ChangeSet extends Omit<UserChanges, "next" | "system" | "extras" | "extrasNext"> {
  next: number;
  system: SystemRow[];
}

/** What is read about changes. */
export interface ChangeReads {
  /** Everything that changed after `since`; 0 means from the beginning. */
  listChanges(userId: number, since: number): Promise<ChangeSet>;
}

/** What a transaction writes about a person's history as a whole. */
export interface ChangeWrites {
  /** Moves this person's clear marks to the newest messages: the person sees nothing up to now any more, has nothing of it saved, and gets a change number. */
  clearMessages(userId: number): Promise<void>;
}
