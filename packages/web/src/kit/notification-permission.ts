import { useSyncExternalStore } from "react";

/** What the browser allows. `plain`: no secure connection, so no notifications; `missing`: the browser does not support them. */
export type NotificationPermissionState = "plain" | "missing" | "default" | "granted" | "denied";

const listeners = new Set<() => void>();
let isWatched = false;

/** The current permission. */
export function notificationPermission(): NotificationPermissionState {
  if (!isSecureContext) return "plain";
  return "Notification" in globalThis ? Notification.permission : "missing";
}

function notifyListeners(): void {
  for (const listener of listeners) listener();
}

/** Shows the browser's permission prompt. Call it only after the person pressed something. */
export async function askForNotifications(): Promise<NotificationPermissionState> {
  try {
    await Notification.requestPermission();
  } catch {
    // Some browsers refuse to ask; then nothing changes.
  }
  notifyListeners();
  return notificationPermission();
}

/** Notifies listeners when the person changes the permission in the browser's settings. */
function watch(): void {
  isWatched = true;
  navigator.permissions
    ?.query({ name: "notifications" })
    .then((status) => status.addEventListener("change", notifyListeners))
    .catch(() => undefined);
}

/** The current permission. Renders again when it changes. */
export function useNotificationPermission(): NotificationPermissionState {
  return useSyncExternalStore((listener) => {
    if (!isWatched) watch();
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, notificationPermission);
}
