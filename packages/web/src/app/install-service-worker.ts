import type { Client } from "@parley/core/client-api";
import type { Log } from "@parley/core/ports";
import { registerServiceWorker } from "../platform/service-worker.ts";
import type { WorkerMessage } from "../platform/worker-messages.ts";
import { afterUploads } from "./start-service-worker.ts";
import { offerUpdate } from "./app-update.ts";

/** The browser asks for a new version when a page is loaded; pages of a messenger stay open for weeks. */
const ASK_EVERY_MS = 3_600_000;

/** A message to a worker that the browser cannot start at the moment is lost, so it is repeated until the worker has taken over. */
const ACTIVATE_AGAIN_MS = 10_000;

/** Registers the service worker, and offers each new version (W4). */
export async function installServiceWorker(client: Client, log: Log): Promise<void> {
  const registration = await registerServiceWorker(log);
  if (registration === null) return;
  const offer = () => {
    if (registration.waiting === null || registration.active === null) return;
    offerUpdate(() => {
      offerUpdate(null);
      void afterUploads(client).then(() => activateWaiting(registration));
    });
  };
  offer();
  registration.addEventListener("updatefound", () => {
    const { installing } = registration;
    installing?.addEventListener("statechange", () => {
      if (installing.state === "installed") offer();
    });
  });
  setInterval(() => {
    registration.update().catch((error: unknown) => {
      log.warn("the service worker could not ask for a new version", { error });
    });
  }, ASK_EVERY_MS);
}

/** Lets the newest version take over, which may be a later one than when it was offered. */
function activateWaiting(registration: ServiceWorkerRegistration): void {
  const { waiting } = registration;
  if (waiting === null) return;
  const message: WorkerMessage = { kind: "activate" };
  waiting.postMessage(message);
  setTimeout(() => activateWaiting(registration), ACTIVATE_AGAIN_MS);
}
