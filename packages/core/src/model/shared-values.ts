import { chatPrefs } from "./chats/chat-prefs.ts";
import { playedVoices } from "./chats/played-voices.ts";
import { saved } from "./chats/saved-messages.ts";
import { readNotices } from "./groups/read-notices.ts";
import type { SharedValue } from "./shared-value.ts";

/** Every shared value, by its name in the state and its key in the local database. */
export const SHARED_VALUES = { played: playedVoices, readNotices, chatPrefs, saved };

export type SharedName = keyof typeof SHARED_VALUES;

/** The change of a shared value. */
export type SharedChange<Name extends SharedName> =
  (typeof SHARED_VALUES)[Name] extends SharedValue<infer _Value, infer Change> ? Change : never;

/** The fields of the change feed that shared values read. */
export type SharedField = FieldOf<(typeof SHARED_VALUES)[SharedName]>;
type FieldOf<Definition> =
  Definition extends SharedValue<infer _Value, infer _Change, infer Field> ? Field : never;

/** The part of the state that consists of shared values. */
export type SharedState = {
  readonly [Name in SharedName]: (typeof SHARED_VALUES)[Name]["initial"];
};

/** The shared values before anything is known. */
export const EMPTY_SHARED_STATE = Object.fromEntries(
  Object.entries(SHARED_VALUES).map(([name, { initial }]) => [name, initial]),
) as unknown as SharedState;
