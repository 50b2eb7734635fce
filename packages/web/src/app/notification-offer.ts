import { useSyncExternalStore } from "react";
import type { Session } from "@parley/core/model/state";
import { readUserSetting } from "../kit/user-settings.ts";
import { askForNotifications } from "../kit/notification-permission.ts";
import { readPreference, writePreference } from "../kit/preferences.ts";

/** Time until notifications are offered again after "Later". */
const LATER_MS = 7 * 24 * 3_600_000;

let isOffered = false;
const listeners = new Set<() => void>();

function setOffered(next: boolean): void {
  isOffered = next;
  for (const listener of listeners) listener();
}

/** Offers notifications when an unseen message arrived and the permission was never requested (interface §16). */
export function offerNotifications(session: Session): void {
  const postponedAt = Number(readPreference("notificationsLater") ?? 0);
  if (!isOffered && Date.now() - postponedAt > LATER_MS && readUserSetting(session, "notifications") === "on")
    setOffered(true);
}

/** The person accepted the offer: show the browser's permission prompt. */
export function acceptNotifications(): void {
  setOffered(false);
  void askForNotifications();
}

/** The person chose "Later": offer again after `LATER_MS`. */
export function postponeNotifications(): void {
  writePreference("notificationsLater", String(Date.now()));
  setOffered(false);
}

/** Whether the bar offers to turn notifications on. */
export function useNotificationOffer(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => isOffered,
  );
}
