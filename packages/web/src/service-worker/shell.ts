import { setCacheNameDetails } from "workbox-core/setCacheNameDetails";
import { createHandlerBoundToURL } from "workbox-precaching/createHandlerBoundToURL";
import { precacheAndRoute } from "workbox-precaching/precacheAndRoute";
import { NavigationRoute } from "workbox-routing/NavigationRoute";
import { registerRoute } from "workbox-routing/registerRoute";
import { NOT_A_SCREEN } from "./paths.ts";

/** The page of every screen. */
const PAGE = "/index.html";

/** A chunk was neither saved nor on the server, so the saved page is of no use. */
let isPageBroken = false;

/**
 * Saves the files of this build and answers with them. They are stored when the worker is installed, all or none, and the files of the
 * build before it are removed when this worker takes over, so that a page always finds the chunks that it was built with (W3).
 */
export function serveShell(): void {
  setCacheNameDetails({ prefix: "parley", precache: "shell", suffix: "" });
  precacheAndRoute(__SHELL_FILES__, { cleanURLs: false, directoryIndex: "" });
  const savedPage = createHandlerBoundToURL(PAGE);
  registerRoute(
    new NavigationRoute(
      async (options) => {
        if (!isPageBroken) return savedPage(options);
        return fetch(options.request).catch(() => savedPage(options));
      },
      { denylist: [NOT_A_SCREEN] },
    ),
  );
  // A page of another build than this one, for example from before the first installation. `kit/load-chunk.ts` reloads it.
  registerRoute(
    ({ sameOrigin, url }) => sameOrigin && url.pathname.startsWith("/assets/"),
    async ({ request }) => {
      const answer = await fetch(request);
      if (answer.status === 404) isPageBroken = true;
      return answer;
    },
  );
}
