import { create } from "zustand";
import type { Session } from "@parley/core/model/state";
import { readUserSetting } from "../kit/user-settings.ts";
import { askForNotifications } from "../kit/notification-permission.ts";
import { readPreference, writePreference } from "../kit/preferences.ts";

/** Time until notifications are offered again after "Later". */
const LATER_MS = 7 * 24 * 3_600_000;

const useStore = create<{ readonly isOffered: boolean }>(() => ({ isOffered: false }));

/** Offers notifications when an unseen message arrived and the permission was never requested (interface §16). */
export function offerNotifications(session: Session): void {
  const postponedAt = Number(readPreference("notificationsLater") ?? 0);
  if (Date.now() - postponedAt > LATER_MS && readUserSetting(session, "notifications") === "on")
    useStore.setState({ isOffered: true });
}

/** The person accepted the offer: show the browser's permission prompt. */
export function acceptNotifications(): void {
  useStore.setState({ isOffered: false });
  void askForNotifications();
}

/** The person chose "Later": offer again after `LATER_MS`. */
export function postponeNotifications(): void {
  writePreference("notificationsLater", String(Date.now()));
  useStore.setState({ isOffered: false });
}

/** Whether the bar offers to turn notifications on. */
export function useNotificationOffer(): boolean {
  return useStore(({ isOffered }) => isOffered);
}
