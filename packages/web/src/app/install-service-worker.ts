import type { Client } from "@parley/core/client-api";
import type { Log } from "@parley/core/ports";
import { registerServiceWorker } from "../platform/service-worker.ts";
import type { WorkerMessage } from "../platform/worker-messages.ts";
import { afterUploads } from "./start-service-worker.ts";
import { offerUpdate } from "./app-update.ts";

/** The browser asks for a new version when a page is loaded; pages of a messenger stay open for weeks. */
const ASK_EVERY_MS = 3_600_000;

/** Registers the service worker, and offers each new version (W4). */
export async function installServiceWorker(client: Client, log: Log): Promise<void> {
  const registration = await registerServiceWorker(log);
  if (registration === null) return;
  const offer = () => {
    if (registration.waiting === null || registration.active === null) return;
    offerUpdate(() => {
      offerUpdate(null);
      const message: WorkerMessage = { kind: "activate" };
      // The newest version, which may be a later one than when it was offered.
      void afterUploads(client).then(() => registration.waiting?.postMessage(message));
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
