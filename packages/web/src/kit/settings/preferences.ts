import { create } from "zustand";
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
  | "reactions"
  | "skinTone"
  /** The chats whose pinned messages a person has hidden, each with the time of the newest pin: an object of numbers. */
  | `hiddenPins.${number}`
  /** The object of that name in the spec: `{requireFriendConfirmation}`. */
  | `otherSettings.${number}`
  | `${UserSetting}.${number}`;

/** The values are in the storage. A change of one replaces the state, so that components read them again. */
const useStore = create<{ readonly storage: KeyValue | null }>(() => ({ storage: null }));

/** Sets the storage of preferences. Call it once at start, before any preference is read. */
export function setPreferenceStore(storage: KeyValue): void {
  useStore.setState({ storage });
}

/** Reads a preference; null if it is not set. */
export function readPreference(key: PreferenceKey): string | null {
  return useStore.getState().storage?.get(`parley.${key}`) ?? null;
}

/** Saves a preference; null removes it. */
export function writePreference(key: PreferenceKey, value: string | null): void {
  const { storage } = useStore.getState();
  if (value === null) storage?.remove(`parley.${key}`);
  else storage?.set(`parley.${key}`, value);
  preferencesChanged();
}

/** Makes components read preferences again. Call it when another tab may have changed one. */
export function preferencesChanged(): void {
  useStore.setState({});
}

/** A value that `read` makes of preferences. Renders again when it changes. */
export function usePreference<Value extends string>(read: () => Value): Value {
  return useStore(read);
}
