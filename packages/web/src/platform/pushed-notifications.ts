/** The notifications that the service worker shows for web pushes, from the side of a page. */
import { type PushedNotification, type WorkerNews, isWorkerNews } from "./worker-messages.ts";

/** Calls the listener with what the service worker tells the pages. Returns a function that stops it. */
export function onWorkerNews(listener: (news: WorkerNews) => void): () => void {
  if (!("serviceWorker" in navigator)) return () => undefined;
  const { serviceWorker } = navigator;
  const receive = ({ data }: MessageEvent<unknown>) => {
    if (isWorkerNews(data)) listener(data);
  };
  serviceWorker.addEventListener("message", receive);
  return () => serviceWorker.removeEventListener("message", receive);
}

/** Closes those of them for which `isOver` says so. */
export async function closePushedNotifications(
  isOver: (shown: PushedNotification) => boolean,
): Promise<void> {
  if (!("serviceWorker" in navigator)) return;
  const registration = await navigator.serviceWorker.getRegistration();
  // Some browsers have service workers without notifications.
  for (const notification of (await registration?.getNotifications?.()) ?? []) {
    const data = notification.data as PushedNotification | null;
    if (data !== null && isOver(data)) notification.close();
  }
}
