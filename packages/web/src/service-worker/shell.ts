import { setCacheNameDetails } from "workbox-core/setCacheNameDetails";
import { getCacheKeyForURL } from "workbox-precaching/getCacheKeyForURL";
import { matchPrecache } from "workbox-precaching/matchPrecache";
import { precache } from "workbox-precaching/precache";
import { NavigationRoute } from "workbox-routing/NavigationRoute";
import { registerRoute } from "workbox-routing/registerRoute";
import { NOT_A_SCREEN } from "./paths.ts";
import { savedOrFetched } from "./saved-answer.ts";

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
  precache(__SHELL_FILES__);
  registerRoute(
    ({ url }) => getCacheKeyForURL(url.href) !== undefined,
    ({ request, url }) => savedOrFetched(matchPrecache(url.href), request),
  );
  const savedPage = (request: Request) => savedOrFetched(matchPrecache(PAGE), request);
  registerRoute(
    new NavigationRoute(
      async ({ request }) => {
        if (!isPageBroken) return savedPage(request);
        return fetch(request).catch(() => savedPage(request));
      },
      { denylist: [NOT_A_SCREEN] },
    ),
  );
  // A page of another build than this one, for example from before the first installation. `kit/loading/load-chunk.ts` reloads it.
  registerRoute(
    ({ sameOrigin, url }) => sameOrigin && url.pathname.startsWith("/assets/"),
    async ({ request }) => {
      const answer = await fetch(request);
      if (answer.status === 404) isPageBroken = true;
      return answer;
    },
  );
}
