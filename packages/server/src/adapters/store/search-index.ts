import type { QueryTerm } from "@parley/protocol/search-text";
import type { MaybePromise } from "./engine.ts";

/** What is asked of the index: messages that have all of these. */
export interface IndexQuery {
  terms: readonly QueryTerm[];
  /** One of each list. */
  tags: readonly (readonly string[])[];
  fromId: number;
  toId: number;
  limit: number;
}

/** A dialect's index of words. Changes belong to the transaction under way; `find` sees what is committed. */
export interface SearchIndex {
  insert(id: number, terms: readonly string[], marks: readonly string[]): MaybePromise<void>;
  /** Harmless for one that is not there. */
  remove(id: number): MaybePromise<void>;
  /** A small piece of the work that keeps the index fast; false: nothing is left to do. */
  optimize(): MaybePromise<boolean>;
  /** Ids, the newest first. */
  find(query: IndexQuery): MaybePromise<number[]>;
}
