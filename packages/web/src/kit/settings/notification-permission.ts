import { useEffect } from "react";
import { create } from "zustand";
import { desktopBridge } from "./desktop.ts";

/** What the browser allows; the desktop application needs no permission. `plain`: no secure connection, so no notifications; `missing`: the browser does not support them. */
export type NotificationPermissionState = "plain" | "missing" | "default" | "granted" | "denied";

/** The permission is in the browser. A change of it replaces the state, so that components read it again. */
const useStore = create(() => ({}));
let isWatched = false;

/** The current permission. */
export function notificationPermission(): NotificationPermissionState {
  if (desktopBridge() !== null) return "granted";
  if (!isSecureContext) return "plain";
  return "Notification" in globalThis ? Notification.permission : "missing";
}

function permissionChanged(): void {
  useStore.setState({});
}

/** Shows the browser's permission prompt. Call it only after the person pressed something. */
export async function askForNotifications(): Promise<NotificationPermissionState> {
  try {
    await Notification.requestPermission();
  } catch {
    // Some browsers refuse to ask; then nothing changes.
  }
  permissionChanged();
  return notificationPermission();
}

/** Notices when the person changes the permission in the browser's settings. */
function watch(): void {
  if (isWatched) return;
  isWatched = true;
  navigator.permissions
    ?.query({ name: "notifications" })
    .then((status) => status.addEventListener("change", permissionChanged))
    .catch(() => undefined);
}

/** The current permission. Renders again when it changes. */
export function useNotificationPermission(): NotificationPermissionState {
  useEffect(watch, []);
  return useStore(notificationPermission);
}
