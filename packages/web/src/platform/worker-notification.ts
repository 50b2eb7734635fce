import type { ShownNotification } from "./system-notification.ts";

/** Has the service worker show a notification, which has a tag. Rejects if there is none, or the browser refuses. */
export async function showWorkerNotification(
  title: string,
  options: NotificationOptions & { readonly tag: string },
): Promise<ShownNotification> {
  const registration = await showByWorker(title, options);
  return {
    close() {
      void registration
        .getNotifications({ tag: options.tag })
        .then((open) => open.forEach((notification) => notification.close()))
        .catch(reportError);
    },
  };
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
