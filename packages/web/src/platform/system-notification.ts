import { whenNeverGranted } from "./stuck-lock.ts";
import type { PushedNotification } from "./worker-messages.ts";

/** A notification on the screen of the device. */
export interface ShownNotification {
  close(): void;
}

/** A button of a notification. */
interface NotificationAction {
  readonly label: string;
  run(): void;
}

/** What a notification shows, and what it is about. */
export interface NotificationContent {
  title: string;
  body: string;
  icon: string | null;
  about: PushedNotification;
  /** Stays until it is closed, as long as it is shown at all. */
  isLasting?: boolean;
  /** Buttons, where the system can show them: in the desktop application. */
  actions?: { readonly accept: NotificationAction; readonly reject: NotificationAction };
}

/**
 * Shows a notification; a newer one with the same `tag` replaces it. In the desktop application the main process shows it. Browsers that let only a service worker show notifications, as on
 * Android, get it from there: then a click arrives as the news `pushClicked`.
 */
export function showSystemNotification(
  tag: string,
  content: NotificationContent,
  onClick: () => void,
): ShownNotification {
  const desktop = window.parleyDesktop;
  if (desktop !== undefined)
    return shownLater(
      import("./desktop-notification.ts").then((part) =>
        part.showDesktopNotification(desktop, tag, content, onClick),
      ),
    );
  const { title, body, icon, about, isLasting = false } = content;
  // Silent, because the page plays its own sound: it can be turned off, and only one tab plays it.
  const options = {
    body,
    tag,
    renotify: true,
    silent: true,
    requireInteraction: isLasting,
    ...(icon !== null && { icon }),
  };
  try {
    const notification = new Notification(title, options);
    notification.addEventListener("click", () => {
      notification.close();
      window.focus();
      onClick();
    });
    return { close: () => notification.close() };
  } catch {
    return shownLater(
      import("./worker-notification.ts").then((part) =>
        part.showWorkerNotification(title, { ...options, data: about }),
      ),
    );
  }
}

/** A notification that is not on the screen yet. If it is refused, the list of chats shows the message, as without notifications. */
function shownLater(shown: Promise<ShownNotification>): ShownNotification {
  const settled = shown.catch(() => null);
  return { close: () => void settled.then((notification) => notification?.close()) };
}

/**
 * A channel between the tabs of this browser, over which a tab publishes the messages that its reader has seen.
 */
export function tabChannel(
  name: string,
  onMessage: (text: string) => void,
): { publish(text: string): void; close(): void } {
  const channel = "BroadcastChannel" in globalThis ? new BroadcastChannel(`parley.${name}`) : null;
  channel?.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
    if (typeof data === "string") onMessage(data);
  });
  return { publish: (text) => channel?.postMessage(text), close: () => channel?.close() };
}

/**
 * Calls `onLeader` as soon as no other tab is the leader; this tab is then the leader until it is closed. Returns a function that resigns. If
 * the browser gives the lock to no tab, each is a leader: a notification that is shown twice replaces itself, one that is missing is not noticed.
 */
export function becomeLeader(name: string, onLeader: () => void): () => void {
  const locks = "locks" in navigator ? (navigator.locks as LockManager | undefined) : undefined;
  if (locks === undefined) {
    onLeader();
    return () => undefined;
  }
  const controller = new AbortController();
  const resigned = new Promise<void>((resolve) =>
    controller.signal.addEventListener("abort", () => resolve()),
  );
  const stopLooking = whenNeverGranted(locks, `parley.${name}`, onLeader);
  locks
    .request(`parley.${name}`, { signal: controller.signal }, () => {
      stopLooking();
      onLeader();
      return resigned;
    })
    // Resigned before this tab became the leader.
    .catch(() => undefined);
  return () => {
    stopLooking();
    controller.abort();
  };
}
