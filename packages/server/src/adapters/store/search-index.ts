import type { QueryTerm } from "@parley/protocol/search-text";
import type { MaybePromise } from "./engine.ts";

/** The table of the full-text index. */
export const SEARCH_TABLE = "messageSearch";

/** A query for messages that have all of these terms and tags. */
export interface IndexQuery {
  terms: readonly QueryTerm[];
  /** A message must have one tag of each list. */
  tags: readonly (readonly string[])[];
  fromId: number;
  toId: number;
  limit: number;
}

/** The full-text index of a dialect. Changes belong to the current transaction; `find` sees committed data only. */
export interface SearchIndex {
  insert(id: number, terms: readonly string[], tags: readonly string[]): MaybePromise<void>;
  /** Removes the terms and tags of a message from the file too. They must be those that it was inserted with. */
  remove(id: number, terms: readonly string[], tags: readonly string[]): MaybePromise<void>;
  /** Does a small part of the maintenance that keeps the index fast. Returns false if nothing is left to do. */
  optimize(): MaybePromise<boolean>;
  /** Ids of the matches, newest first. */
  find(query: IndexQuery): MaybePromise<number[]>;
}
