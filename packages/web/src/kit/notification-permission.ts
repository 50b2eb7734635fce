import { useSyncExternalStore } from "react";

/** What this browser lets the page do. `plain`: no secure connection, where browsers offer no notifications. */
export type NotificationPermissionState = "plain" | "missing" | "default" | "granted" | "denied";

const listeners = new Set<() => void>();
let isWatched = false;

export function notificationPermission(): NotificationPermissionState {
  if (!isSecureContext) return "plain";
  return "Notification" in globalThis ? Notification.permission : "missing";
}

function notifyListeners(): void {
  for (const listener of listeners) listener();
}

/** The browser's own question; only ever after the person pressed something. */
export async function askForNotifications(): Promise<NotificationPermissionState> {
  try {
    await Notification.requestPermission();
  } catch {
    // Some browsers refuse to ask; then nothing has changed.
  }
  notifyListeners();
  return notificationPermission();
}

/** The person may change it in the browser's own settings at any time. */
function watch(): void {
  isWatched = true;
  navigator.permissions
    ?.query({ name: "notifications" })
    .then((status) => status.addEventListener("change", notifyListeners))
    .catch(() => undefined);
}

export function useNotificationPermission(): NotificationPermissionState {
  return useSyncExternalStore((listener) => {
    if (!isWatched) watch();
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, notificationPermission);
}
