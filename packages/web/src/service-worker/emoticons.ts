import { registerRoute } from "workbox-routing/registerRoute";
import { StaleWhileRevalidate } from "workbox-strategies/StaleWhileRevalidate";

/** Keeps the emoticons that were seen. They are too many to load all of them in advance. */
export function serveEmoticons(): void {
  registerRoute(
    ({ sameOrigin, url }) => sameOrigin && url.pathname.startsWith("/emoticons/"),
    new StaleWhileRevalidate({ cacheName: "parley-emoticons" }),
  );
}
