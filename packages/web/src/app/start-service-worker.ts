import type { Client } from "@parley/core/client-api";
import type { Log } from "@parley/core/ports";

/** By then the first chat is usable, and the modules of `use-offline-prefetch.ts` are loaded, so that nothing is loaded twice. */
const AFTER_MS = 10_000;

/**
 * Installs the service worker some seconds after the client is online for the first time, because it loads the whole program. The
 * development server has none.
 */
export function startServiceWorker(client: Client, log: Log): void {
  if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return;
  const stopWaiting = client.subscribe(() => {
    if (client.getState().connection.kind !== "online") return;
    stopWaiting();
    setTimeout(() => void install(log), AFTER_MS);
  });
}

async function install(log: Log): Promise<void> {
  try {
    const { installServiceWorker } = await import("./install-service-worker.ts");
    await installServiceWorker(log);
  } catch (error) {
    log.warn("the service worker could not be installed", { error });
  }
}
