/** Serves the built web client with a strict content security policy. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fastifyHelmet } from "@fastify/helmet";
import { fastifyStatic } from "@fastify/static";
import type { FastifyInstance } from "fastify";
import { ApiError } from "../api/api-error.ts";

/** Paths that are never a screen of the client. A page in place of the service worker would keep an old worker alive. */
const NOT_A_SCREEN = /^\/(api|im|metrics|files|assets|emoticons|service-worker\.js)(\/|$|\?)/;

/** How long a browser may cache a file: names under `assets` contain a hash, and emoticons hardly ever change. */
function cacheControl(path: string): string {
  if (/[\\/]assets[\\/]/.test(path)) return "public, max-age=31536000, immutable";
  return /[\\/]emoticons[\\/]/.test(path) ? "public, max-age=604800" : "no-cache";
}

/**
 * The client can be used with another server, so connections and pictures are allowed from any host; scripts only from this one. Inline
 * styles are allowed because the headless UI components insert some.
 */
const DIRECTIVES = {
  "default-src": ["'self'"],
  "script-src": ["'self'"],
  "script-src-attr": ["'none'"],
  "style-src": ["'self'", "'unsafe-inline'"],
  "img-src": ["'self'", "data:", "blob:", "http:", "https:"],
  "media-src": ["'self'", "blob:", "http:", "https:"],
  "connect-src": ["'self'", "blob:", "http:", "https:", "ws:", "wss:"],
  "font-src": ["'self'"],
  "worker-src": ["'self'"],
  "manifest-src": ["'self'"],
  "object-src": ["'none'"],
  "base-uri": ["'none'"],
  "form-action": ["'self'"],
  "frame-ancestors": ["'none'"],
};

/** Hosts that browsers trust without HTTPS. */
const LOCAL_HOST = /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/;

/**
 * A service worker that removes the one before it and everything that it kept. A missing file would not do: browsers go on with the worker
 * that they have.
 */
const REMOVING_WORKER = `self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil((async () => {
  for (const name of await caches.keys()) await caches.delete(name);
  await self.registration.unregister();
})()));
`;

/** What `serveWebClient` needs. */
export interface WebOptions {
  /** Folder of the built client. */
  folder: string;
  /** Whether people reach the server over https, even if a proxy ends TLS. */
  isHttps: boolean;
  /** Whether browsers keep the client for the time without a network. */
  isOfflineAppOn: boolean;
}

/** Adds the routes of the web client; all paths of its screens return its page. */
export async function serveWebClient(
  server: FastifyInstance,
  { folder, isHttps, isOfflineAppOn }: WebOptions,
): Promise<void> {
  await server.register(async (web) => {
    web.addHook("onRequest", async (request, reply) => {
      // Over plain http on the network, browsers ignore the header and write an error to the console.
      const isTrusted = isHttps || request.protocol === "https" || LOCAL_HOST.test(request.hostname);
      if (isTrusted) void reply.header("cross-origin-opener-policy", "same-origin");
    });
    await web.register(fastifyHelmet, {
      contentSecurityPolicy: { useDefaults: false, directives: DIRECTIVES },
      crossOriginOpenerPolicy: false,
      // Pictures may come from other servers, and the camera does not need isolation.
      crossOriginEmbedderPolicy: false,
      // `requireHttps` sets it for all answers, not only for these.
      strictTransportSecurity: false,
      referrerPolicy: { policy: "same-origin" },
    });
    if (!existsSync(join(folder, "index.html"))) {
      web.get("/", (_request, reply) =>
        reply
          .type("text/plain; charset=utf-8")
          .send("Parley's server is running. The web client is not built.\n"),
      );
      return;
    }
    if (!isOfflineAppOn) {
      web.get("/service-worker.js", (_request, reply) =>
        reply
          .type("text/javascript; charset=utf-8")
          .header("cache-control", "no-cache")
          .send(REMOVING_WORKER),
      );
    }
    // The service worker takes what other apps share. Without it nothing can be done with the form, which is not read.
    web.post("/share", { onRequest: async (_request, reply) => reply.redirect("/", 303) }, () => undefined);
    await web.register(fastifyStatic, {
      root: folder,
      wildcard: false,
      ...(!isOfflineAppOn && { globIgnore: ["service-worker.js*"] }),
      index: false,
      cacheControl: false,
      preCompressed: true,
      setHeaders: (reply, path) => {
        void reply.header("cache-control", cacheControl(path));
      },
    });
    web.get("/*", (request, reply) => {
      if (NOT_A_SCREEN.test(request.url)) throw new ApiError("request.notFound");
      return reply.sendFile("index.html");
    });
  });
}
