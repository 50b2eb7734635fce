import { useSyncExternalStore } from "react";
import type { Session } from "@parley/core/model/state";
import { readUserSetting } from "../kit/user-settings.ts";
import { askForNotifications } from "../kit/notification-permission.ts";
import { readPreference, writePreference } from "../kit/preferences.ts";

/** "Later" is not "never", and not "at the next page" either. */
const LATER_MS = 7 * 24 * 3_600_000;

let isOffered = false;
const listeners = new Set<() => void>();

function set(next: boolean): void {
  isOffered = next;
  for (const listener of listeners) listener();
}

/** A message came that nobody looked at, and the browser was never asked (interface §16). */
export function offerNotifications(session: Session): void {
  const later = Number(readPreference("notificationsLater") ?? 0);
  if (!isOffered && Date.now() - later > LATER_MS && readUserSetting(session, "notifications") === "on")
    set(true);
}

/** The person said yes: now the browser may ask. */
export function acceptNotifications(): void {
  set(false);
  void askForNotifications();
}

export function postponeNotifications(): void {
  writePreference("notificationsLater", String(Date.now()));
  set(false);
}

/** Whether the bar asks whether to turn notifications on. */
export function useNotificationOffer(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => isOffered,
  );
}
