import { isWorkerMessage } from "../platform/worker-messages.ts";

declare const self: ServiceWorkerGlobalScope;

/**
 * A new version waits until the person accepts it, because it would take the chunks of the pages that are open. The first version
 * takes over at once, so that what is seen from then on is there without a network.
 */
export function activateWhenAsked(): void {
  self.addEventListener("message", (event) => {
    if (isWorkerMessage(event.data, "activate")) event.waitUntil(self.skipWaiting());
  });
  self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
}
