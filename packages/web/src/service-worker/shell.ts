import { setCacheNameDetails } from "workbox-core/setCacheNameDetails";
import { createHandlerBoundToURL } from "workbox-precaching/createHandlerBoundToURL";
import { precacheAndRoute } from "workbox-precaching/precacheAndRoute";
import { NavigationRoute } from "workbox-routing/NavigationRoute";
import { registerRoute } from "workbox-routing/registerRoute";
import { NOT_A_SCREEN } from "./paths.ts";

/** The page of every screen. */
const PAGE = "/index.html";

/**
 * Keeps the files of this build and answers with them. They are stored when the worker is installed, all or none, and the files of the
 * build before it are removed when this worker takes over, so that a page always finds the chunks that it was built with.
 */
export function serveShell(): void {
  setCacheNameDetails({ prefix: "parley", precache: "shell", suffix: "" });
  precacheAndRoute(__SHELL_FILES__, { cleanURLs: false, directoryIndex: "" });
  registerRoute(new NavigationRoute(createHandlerBoundToURL(PAGE), { denylist: [NOT_A_SCREEN] }));
}
