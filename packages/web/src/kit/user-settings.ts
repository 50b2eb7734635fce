import { useSyncExternalStore } from "react";
import type { Session } from "@parley/core/model/state";
import { readPreference, writePreference } from "./preferences.ts";
import { useClientState } from "./use-client.ts";

/** What each person at this browser chooses for themselves; the first value is the one before any choice. */
const USER_SETTINGS = {
  /** What sends: the other of the two makes a new line. */
  sendKey: ["enter", "ctrlEnter"],
  alertSounds: ["on", "off"],
  /** Notifications of the system tell who wrote and what. `off`: that there is a message. */
  notificationContent: ["on", "off"],
  /** Whether this browser may show notifications of the system, besides its own permission. */
  notifications: ["on", "off"],
} as const;

export type UserSetting = keyof typeof USER_SETTINGS;
export type UserSettingValue<Name extends UserSetting> = (typeof USER_SETTINGS)[Name][number];
export type SendKey = UserSettingValue<"sendKey">;

const listeners = new Set<() => void>();

function notifyListeners(): void {
  for (const listener of listeners) listener();
}

/** Of the person of this session; nobody's are what they are before any choice. */
export function readUserSetting<Name extends UserSetting>(
  session: Session,
  name: Name,
): UserSettingValue<Name> {
  const values: readonly UserSettingValue<Name>[] = USER_SETTINGS[name];
  const saved = session.kind === "anonymous" ? null : readPreference(`${name}.${session.userId}`);
  return values.find((value) => value === saved) ?? USER_SETTINGS[name][0];
}

/** Kept in this browser for this person; other tabs follow. */
function writeUserSetting<Name extends UserSetting>(
  session: Session,
  name: Name,
  value: UserSettingValue<Name>,
): void {
  if (session.kind === "anonymous") return;
  writePreference(`${name}.${session.userId}`, value);
  notifyListeners();
}

function subscribe(listener: () => void): () => void {
  // Another tab of this browser chose.
  if (listeners.size === 0) addEventListener("storage", notifyListeners);
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) removeEventListener("storage", notifyListeners);
  };
}

/** A choice of the person signed in, and what changes it. */
export function useUserSetting<Name extends UserSetting>(
  name: Name,
): readonly [UserSettingValue<Name>, (value: UserSettingValue<Name>) => void] {
  const session = useClientState((state) => state.session);
  const value = useSyncExternalStore(subscribe, () => readUserSetting(session, name));
  return [value, (next) => writeUserSetting(session, name, next)];
}
