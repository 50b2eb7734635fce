/** Serves the built web client with a strict content security policy. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fastifyHelmet } from "@fastify/helmet";
import { fastifyStatic } from "@fastify/static";
import type { FastifyInstance } from "fastify";
import { ApiError } from "../api/api-error.ts";
import { type Language, languageOf } from "../api/language.ts";

/**
 * The paths of the screens (`packages/web/src/app/routes.tsx`): only they get the page. A page in place of a missing file would keep an old
 * service worker alive, and tell scanners that everything is there.
 */
const SCREEN = /^\/(?:(?:login|register|share)\/?|(?:home|admin)(?:\/.*)?)?$/;

/** A server for people who know each other is nothing for search engines. */
const ROBOTS = "User-agent: *\nDisallow: /\n";
const NO_ROBOTS = "noindex, nofollow";

/** The path that a browser would ask for: one may name folders above it in an encoded way. Undefined if there is none. */
function pathOf(url: string): string | undefined {
  return URL.parse(`http://host${url}`)?.pathname;
}

/** Below these, programs ask, and get an envelope. */
const NOT_A_PAGE = /^\/(api|im|metrics|files|assets|emoticons)([/?]|$)/;

/** What somebody reads who has followed a wrong link. */
const NOT_FOUND: Readonly<Record<Language, { text: string; link: string }>> = {
  "zh-CN": { text: "没有这个页面。", link: "打开 Parley" },
  "zh-TW": { text: "沒有這個頁面。", link: "開啟 Parley" },
  en: { text: "There is no such page.", link: "Open Parley" },
};

function notFoundPage(language: Language): string {
  const { text, link } = NOT_FOUND[language];
  return `<!doctype html><html lang="${language}"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>404</title><p>${text}</p><p><a href="/">${link}</a></p></html>\n`;
}

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
      void reply.header("x-robots-tag", NO_ROBOTS);
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
    web.get("/robots.txt", (_request, reply) => reply.type("text/plain; charset=utf-8").send(ROBOTS));
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
      const path = pathOf(request.url);
      // As written too: `/api/../admin` comes from a program, because browsers ask for the folder itself.
      const isForPrograms = path === undefined || [request.url, path].some((one) => NOT_A_PAGE.test(one));
      if (!isForPrograms && SCREEN.test(path)) return reply.sendFile("index.html");
      const wanted = request.headers["sec-fetch-dest"] ?? request.headers.accept ?? "";
      const isPageWanted = /^document$|text\/html/.test(wanted);
      if (isForPrograms || !isPageWanted) throw new ApiError("request.notFound");
      return reply
        .code(404)
        .type("text/html; charset=utf-8")
        .header("cache-control", "no-store")
        .send(notFoundPage(languageOf(request.headers["accept-language"])));
    });
  });
}
