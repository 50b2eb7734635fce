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

/**
 * Calls of the API go to the server without this worker, where the browser supports that: they neither wait until it has started nor keep
 * it running, which would put off the start of a new version.
 */
export function leaveApiCallsAlone(): void {
  self.addEventListener("install", (event: ExtendableEvent & Partial<StaticRoutes>) => {
    const route = { condition: { urlPattern: { pathname: "/api/*" } }, source: "network" } as const;
    const added = event.addRoutes?.(route);
    if (added !== undefined) event.waitUntil(added);
  });
}

/** Part of the Service Worker standard that TypeScript does not describe yet. */
interface StaticRoutes {
  addRoutes(route: { condition: { urlPattern: URLPatternInit }; source: "network" }): Promise<void>;
}
