import type { Log } from "@parley/core/ports";
import type { WorkerMessage } from "./worker-messages.ts";

/**
 * Registers the service worker of the build. The browser asks the server for its file at each check, past every cache, so that a broken
 * worker can be replaced. A failure is only logged: the program works without it (W6). null: it failed.
 */
export async function registerServiceWorker(log: Log): Promise<ServiceWorkerRegistration | null> {
  try {
    return await navigator.serviceWorker.register("/service-worker.js", { updateViaCache: "none" });
  } catch (error) {
    log.warn("the service worker could not be registered", { error });
    return null;
  }
}

/** Sends a message to the service worker in use, if there is one. */
export async function tellServiceWorker(message: WorkerMessage, log: Log): Promise<void> {
  try {
    (await navigator.serviceWorker.getRegistration())?.active?.postMessage(message);
  } catch (error) {
    log.warn("the service worker could not be told something", { error, kind: message.kind });
  }
}
