import type { Log } from "@parley/core/ports";

/**
 * Registers the service worker of the build. The browser asks the server for its file at each check, past every cache, so that a broken
 * worker can be replaced. A failure is only logged: the program works without it. null: it failed.
 */
export async function registerServiceWorker(log: Log): Promise<ServiceWorkerRegistration | null> {
  try {
    return await navigator.serviceWorker.register("/service-worker.js", { updateViaCache: "none" });
  } catch (error) {
    log.warn("the service worker could not be registered", { error });
    return null;
  }
}
