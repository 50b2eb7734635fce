declare const self: ServiceWorkerGlobalScope;

/**
 * Calls of the API go to the server without this worker, where the browser supports that: they neither wait until it has started nor keep
 * it running, which would put off the start of a new version.
 */
export function leaveApiCallsAlone(): void {
  self.addEventListener("install", (event) => {
    if (!("addRoutes" in event)) return;
    const { addRoutes } = event as InstallEventWithRoutes;
    event.waitUntil(
      addRoutes.call(event, { condition: { urlPattern: { pathname: "/api/*" } }, source: "network" }),
    );
  });
}

/** Part of the Service Worker standard that TypeScript does not describe yet. */
interface InstallEventWithRoutes {
  addRoutes(route: { condition: { urlPattern: URLPatternInit }; source: "network" }): Promise<void>;
}
