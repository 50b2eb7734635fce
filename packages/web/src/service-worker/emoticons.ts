import { registerRoute } from "workbox-routing/registerRoute";
import { StaleWhileRevalidate } from "workbox-strategies/StaleWhileRevalidate";
import { savedOrFetched } from "./saved-answer.ts";

/** Keeps the emoticons that were seen. They are too many to load all of them in advance. */
export function serveEmoticons(): void {
  const strategy = new StaleWhileRevalidate({ cacheName: "parley-emoticons" });
  registerRoute(
    ({ sameOrigin, url }) => sameOrigin && url.pathname.startsWith("/emoticons/"),
    (options) => savedOrFetched(strategy.handle(options), options.request),
  );
}
