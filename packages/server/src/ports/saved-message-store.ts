/** The messages that people have saved for themselves: the part of `store.ts` for them. */
import type { SavedChange, SavedRef } from "@parley/protocol/saved-message";
import type { RowOf } from "./message-store.ts";
import type { ChatKind } from "./stored-message.ts";

/** What a person writes to a saved message. */
export type SavedWords = Pick<SavedRef, "note" | "tags">;

/** A saved message without the message. */
export interface SavedEntry extends SavedChange {
  saved: SavedRef;
}

/** Saved messages, the one that changed last first, and their rows as the person sees them, in any order. */
export interface SavedPage {
  entries: SavedEntry[];
  rows: { [Kind in ChatKind]: RowOf<Kind>[] };
}

/** What is read about saved messages. What changed is a part of `ChangeReads`. */
export interface SavedMessageReads {
  /** At most `limit` of those whose version is below `before`. */
  listSaved(userId: number, before: number, limit: number): Promise<SavedPage>;
  countSaved(userId: number): Promise<number>;
  /** Whether the message is saved, as of which version: 0 if it never was. */
  findSaved(userId: number, id: number): Promise<SavedChange>;
}

/**
 * What a transaction writes about saved messages. A message is saved no longer when it is recalled or hidden from the person, when a moderator
 * removes it, when the person clears the history, and when the account is closed: these writes do it themselves.
 */
export interface SavedMessageWrites {
  /** Saves a message with these words, or replaces them; the person gets a change number, which is its version. */
  setSaved(userId: number, id: number, words: SavedWords, now: number): Promise<void>;
  /** The message is saved no longer; the person gets a change number if it was. Returns whether it was. */
  removeSaved(userId: number, id: number): Promise<boolean>;
}
