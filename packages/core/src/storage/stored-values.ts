import * as z from "zod/mini";
import type { ChatType } from "@parley/protocol/codes";
import type { FriendVO, GroupVO, UserInfo } from "@parley/protocol/entities";
import type { ChatInput } from "../model/chats/chat-input.ts";
import type { ClearedPositions } from "../model/chats/deleted-for-me.ts";
import type { BroadcastRun } from "../model/broadcast/broadcast.ts";
import type { UnsentExtraAct } from "../chats/extra-acts.ts";
import type { UnsentPref } from "../chats/chat-prefs.ts";
import type { SavedCopy, UnsentSave } from "../model/chats/saved-messages.ts";
import type { SharedState } from "../model/shared-values.ts";
import type { ChatKey } from "../model/state.ts";

/** The tokens of this tab's session. Duplicated tabs share a `lineage`, and with it the newest token pair. */
export interface Tokens {
  readonly lineage: string;
  /** Rises with each refresh. */
  readonly serial: number;
  readonly accessToken: string;
  readonly accessEndsAt: number;
  readonly refreshToken: string;
}

/** The last eviction of a chat, as the database records it. A tab that did not hear of it must not take the rest for the whole chat. */
export interface EvictionMark {
  /** Everything below this id may be missing. */
  readonly below: number;
  readonly at: number;
}

export const tokens: z.ZodMiniType<Tokens> = z.object({
  lineage: z.string(),
  serial: z.number(),
  accessToken: z.string(),
  accessEndsAt: z.number(),
  refreshToken: z.string(),
});

/**
 * Every single value of the local database, by its key. A database may be damaged, or written by another version of the client, so reading
 * gives `unknown`; whoever reads a value checks it.
 */
export interface StoredValues extends SharedState {
  /** The server's database that everything here comes from. */
  epoch: string | null;
  /** The position up to which this client has every row. */
  cursors: Readonly<Record<ChatType, number>>;
  /** The position below which rows were never pulled. */
  historyStart: Readonly<Record<ChatType, number>>;
  /** The state of the change feed that is applied here. */
  changesToken: string | null;
  /** The version of the extras that are applied here; null: no message is here yet. */
  extrasSince: number | null;
  /** Read positions of chats that have no row here yet. */
  positions: readonly Extract<ChatInput, { kind: "read" }>[];
  /** The positions up to which the history was cleared. */
  cleared: ClearedPositions;
  lastOpen: ChatKey | null;
  /** null after a logout, as the three below are empty then. */
  me: UserInfo | null;
  friends: readonly FriendVO[];
  groups: readonly GroupVO[];
  /** The broadcast that is being sent, or the last one. */
  broadcast: BroadcastRun | null;
  /** The version of the search terms that all messages are indexed by. */
  indexed: number;
  /** A read position, a deletion, a reaction or a pin, a pref of a chat, and a saved message that the server has not confirmed. */
  [unsentPosition: `unsentPosition ${string}`]: { readonly key: ChatKey; readonly upTo: number };
  [unsentDeletion: `unsentDeletion ${string}`]: { readonly key: ChatKey; readonly ids: readonly number[] };
  [unsentAct: `unsentAct ${string}`]: UnsentExtraAct;
  [unsentPref: `unsentPref ${string}`]: UnsentPref;
  [unsentSave: `unsentSave ${string}`]: UnsentSave;
  /** The copy of a saved message. */
  [savedCopy: `savedCopy ${string}`]: SavedCopy;
  /** The last eviction of a chat. */
  [evicted: `evicted ${string}`]: EvictionMark;
  /** The last message of a chat that a sound was played for. */
  [sounded: `sounded:${string}`]: number;
  /** The newest tokens of the tabs that were duplicated from one. */
  [tokens: `tokens:${string}`]: Tokens | null;
}

/** With what the keys of several values begin that are read together. */
export type ValuePrefix = UnsentPrefix | "savedCopy ";

/** With what the keys of what is not sent yet begin. */
export type UnsentPrefix = (typeof UNSENT_VALUES)[number];

/** What tabs have not sent yet. Tabs share it, so no tab may clear it for the others as long as the server's ids mean the same. */
export const UNSENT_VALUES = [
  "unsentPosition ",
  "unsentDeletion ",
  "unsentAct ",
  "unsentPref ",
  "unsentSave ",
] as const;

/** Some of the values, to be saved. */
export type ValuesToSave = Readonly<Partial<StoredValues>>;
