import type { KeyValue } from "@parley/core/ports";
import type { UserSetting } from "./user-settings.ts";

/** What this browser remembers: for everybody who uses it, or for one person (by id). */
export type PreferenceKey =
  | "language"
  | "theme"
  | "textSize"
  | "sidebarWidth"
  | "listCollapsed"
  | "notificationsLater"
  | "emoticons"
  /** The object of that name in the spec: `{requireFriendConfirmation}`. */
  | `otherSettings.${number}`
  | `${UserSetting}.${number}`;

let store: KeyValue | null = null;

/** Sets the storage of preferences. Call it once at start, before any preference is read. */
export function setPreferenceStore(keyValue: KeyValue): void {
  store = keyValue;
}

/** Reads a preference; null if it is not set. */
export function readPreference(key: PreferenceKey): string | null {
  return store?.get(`parley.${key}`) ?? null;
}

/** Saves a preference; null removes it. */
export function writePreference(key: PreferenceKey, value: string | null): void {
  if (value === null) store?.remove(`parley.${key}`);
  else store?.set(`parley.${key}`, value);
}
