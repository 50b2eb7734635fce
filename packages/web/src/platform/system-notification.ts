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

const loadDesktop = () => import("./desktop-notification.ts");

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
      loadDesktop().then((part) => part.showDesktopNotification(desktop, tag, content, onClick)),
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
      showByWorker(title, { ...options, data: about }).then((registration) => ({
        close() {
          void registration
            .getNotifications({ tag })
            .then((open) => open.forEach((notification) => notification.close()));
        },
      })),
    );
  }
}

/** A notification that is not on the screen yet. If it is refused, the list of chats shows the message, as without notifications. */
function shownLater(shown: Promise<ShownNotification>): ShownNotification {
  shown.catch(() => undefined);
  return { close: () => void shown.then((notification) => notification.close()).catch(() => undefined) };
}

/** The notification that the service worker shows at the moment. */
let lastShown: Promise<unknown> = Promise.resolve();

/**
 * Has the service worker show a notification. Rejects if there is none, or the browser refuses. One after the other: a browser fetches the
 * icon first, so of two with the same tag the older one could come last.
 */
function showByWorker(title: string, options: NotificationOptions): Promise<ServiceWorkerRegistration> {
  const show = async () => {
    const registration =
      "serviceWorker" in navigator ? await navigator.serviceWorker.getRegistration() : undefined;
    if (registration === undefined) throw new Error("no service worker");
    await registration.showNotification(title, options);
    return registration;
  };
  const shown = lastShown.then(show, show);
  lastShown = shown;
  return shown;
}

/** How long to wait for the browser to say that it has shown a notification. Some never say so. */
const SHOWN_WAIT_MS = 3_000;

/** Shows a notification for a test. False: the browser refused or failed. */
export async function testSystemNotification(title: string, body: string): Promise<boolean> {
  const desktop = window.parleyDesktop;
  if (desktop !== undefined) return (await loadDesktop()).testDesktopNotification(desktop, title, body);
  try {
    const notification = new Notification(title, { body, tag: "parley-test", silent: true });
    return await new Promise((resolve) => {
      notification.addEventListener("show", () => resolve(true));
      notification.addEventListener("error", () => resolve(false));
      setTimeout(() => resolve(true), SHOWN_WAIT_MS);
    });
  } catch {
    return showByWorker(title, { body, tag: "parley-test", silent: true }).then(
      () => true,
      () => false,
    );
  }
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

/** Calls `onLeader` as soon as no other tab is the leader; this tab is then the leader until it is closed. Returns a function that resigns. */
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
  locks
    .request(`parley.${name}`, { signal: controller.signal }, () => {
      onLeader();
      return resigned;
    })
    // Resigned before this tab became the leader.
    .catch(() => undefined);
  return () => controller.abort();
}
