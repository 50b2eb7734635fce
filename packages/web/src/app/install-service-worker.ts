import type { Log } from "@parley/core/ports";
import { registerServiceWorker } from "../platform/service-worker.ts";

/** Registers the service worker, or asks the server for a newer one. */
export async function installServiceWorker(log: Log): Promise<void> {
  await registerServiceWorker(log);
}
