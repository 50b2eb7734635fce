import type { KeyValue } from "@parley/core/ports";
import type { UserSetting } from "./user-settings.ts";

/** What this browser remembers: for whoever sits at it, or for one person (by id). */
export type PreferenceKey =
  | "language"
  | "theme"
  | "textSize"
  | "sidebarWidth"
  | "listCollapsed"
  | "notificationsLater"
  | "emoticons"
  /** The spec's object of that name: `{requireFriendConfirmation}`. */
  | `otherSettings.${number}`
  | `${UserSetting}.${number}`;

let store: KeyValue | null = null;

/** Called once at start, before anything reads. */
export function setPreferenceStore(keyValue: KeyValue): void {
  store = keyValue;
}

export function readPreference(key: PreferenceKey): string | null {
  return store?.get(`parley.${key}`) ?? null;
}

/** null forgets it. */
export function writePreference(key: PreferenceKey, value: string | null): void {
  if (value === null) store?.remove(`parley.${key}`);
  else store?.set(`parley.${key}`, value);
}
