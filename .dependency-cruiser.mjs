// @ts-check
// The import table, of which ARCHITECTURE.md has a drawing. Every source file lies in one zone; a zone may import what its row names and
// itself, and nothing else: neither another zone, nor a package, nor a part of Node.

const react = ["react", "react-dom"];
const fastify = ["fastify", "@fastify/[^/]+"];

/**
 * @typedef {object} Zone
 * @property {string} path a regular expression, from the root
 * @property {string[]} [zones] the zones of the workspace that it may import
 * @property {string[] | true} [packages] the npm packages; `true` is all
 * @property {string[] | true} [node] the parts of Node; `true` is all
 */

/** @satisfies {Record<string, Zone>} */
export const ZONES = {
  protocol: { path: "packages/protocol/src/", packages: ["zod"] },

  "core/model": { path: "packages/core/src/model/", zones: ["protocol"], packages: ["zod"] },
  "core/client": {
    path: "packages/core/src/((session|connection|chats|contacts|groups|broadcast|calls|search|storage|alerts)/|[^/]+\\.ts$)",
    zones: ["protocol", "core/model"],
    packages: ["zod", "zustand"],
  },
  "core/testing": { path: "packages/core/src/testing/", zones: ["protocol", "core/model", "core/client"] },

  // What a page and the main process say to each other. A page uses the types only.
  "desktop/bridge": { path: "packages/desktop/src/bridge/", packages: ["zod"] },
  "desktop/main": {
    path: "packages/desktop/src/(main|preload)/",
    zones: ["desktop/bridge", "web/locales"],
    packages: ["electron", "zod"],
    node: true,
  },
  // Fakes of what Electron gives the main process, for tests. Nothing of the product imports it.
  "desktop/testing": {
    path: "packages/desktop/src/testing/",
    zones: ["desktop/bridge", "desktop/main"],
    packages: ["electron"],
    node: true,
  },

  "web/ui": {
    path: "packages/web/src/ui/",
    packages: [...react, "radix-ui", "lucide-react", "zustand"],
  },
  "web/kit": {
    path: "packages/web/src/kit/",
    zones: ["desktop/bridge", "protocol", "core/model", "core/client", "web/ui", "web/locales"],
    packages: [...react, "react-easy-crop", "zustand"],
  },
  // What every test file of the web client needs. Nothing of the product imports it.
  "web/testing": { path: "packages/web/src/testing/", zones: ["web/kit"], packages: ["vitest"] },
  "web/platform": {
    path: "packages/web/src/platform/",
    zones: ["desktop/bridge", "protocol", "core/client"],
  },
  // Runs beside the pages. It shares with them only what they tell each other.
  "web/service-worker": {
    path: "packages/web/src/(service-worker/|platform/(shared-content|time-limit|worker-messages)\\.ts$)",
    zones: ["protocol"],
    packages: ["workbox-core", "workbox-precaching", "workbox-routing", "workbox-strategies"],
  },
  "web/features": {
    path: "packages/web/src/features/([^/]+)/",
    zones: ["protocol", "core/model", "core/client", "web/kit", "web/ui"],
    packages: [...react, "linkify-it", "lucide-react", "wouter", "zustand"],
  },
  "web/app": {
    path: "packages/web/src/app/",
    zones: [
      "desktop/bridge",
      "protocol",
      "core/model",
      "core/client",
      "web/ui",
      "web/kit",
      "web/platform",
      "web/features",
      "web/locales",
    ],
    packages: [...react, "wouter", "zustand"],
  },
  // The gallery shows the parts of the product with sample data. Nothing imports it.
  "web/gallery": {
    path: "packages/web/gallery/",
    zones: [
      "protocol",
      "core/model",
      "core/client",
      "core/testing",
      "web/ui",
      "web/kit",
      "web/features",
      "web/locales",
    ],
    packages: [...react, "lucide-react"],
  },
  "web/locales": { path: "packages/web/src/(locales/|[^/]+\\.d\\.ts$)" },

  "server/collections": { path: "packages/server/src/collections/" },
  // What the use cases offer to HTTP and the sockets. Adapters may not import it, so that they cannot answer with an error of the protocol.
  "server/api": {
    path: "packages/server/src/api/",
    zones: ["protocol", "server/collections"],
    node: ["stream"],
  },
  // A port that moves files speaks of streams.
  "server/ports": { path: "packages/server/src/ports/", zones: ["protocol"], node: ["stream"] },
  "server/adapters": {
    path: "packages/server/src/adapters/([^/]+)/",
    zones: ["protocol", "server/ports", "server/collections", "server/redis"],
    packages: [
      "age-encryption",
      "aws4fetch",
      "better-sqlite3",
      "@types/better-sqlite3",
      "kysely",
      "pg",
      "@types/pg",
      "rate-limiter-flexible",
      "redis",
      "sharp",
      "tar-stream",
      "@types/tar-stream",
      "undici",
      "web-push",
      "@types/web-push",
      "yazl",
      "@types/yazl",
      "zod",
    ],
    node: true,
  },
  // The connection that the adapters for Redis share.
  "server/redis": {
    path: "packages/server/src/adapters/redis/",
    zones: ["protocol", "server/ports"],
    packages: ["redis"],
    node: true,
  },
  "server/presenters": {
    path: "packages/server/src/presenters/",
    zones: ["protocol", "server/ports", "server/api"],
  },
  "server/concurrency": { path: "packages/server/src/concurrency/", zones: ["server/collections"] },
  "server/access": {
    path: "packages/server/src/access/",
    zones: ["protocol", "server/ports", "server/api", "server/presenters"],
  },
  "server/delivery": {
    path: "packages/server/src/delivery/",
    zones: ["protocol", "server/ports", "server/api"],
  },
  "server/gateway": {
    path: "packages/server/src/gateway/",
    zones: ["protocol", "server/ports", "server/api", "server/collections", "server/delivery"],
    packages: ["ws", "@types/ws", "pino"],
    node: true,
  },
  "server/http": {
    path: "packages/server/src/http/",
    zones: ["protocol", "server/ports", "server/api", "server/collections"],
    packages: [...fastify, "pino", "zod"],
    node: true,
  },
  // Counts what the adapters do, and turns counters into the text that Prometheus reads.
  "server/metrics": {
    path: "packages/server/src/metrics/",
    zones: ["protocol", "server/ports"],
    packages: ["prom-client"],
    node: ["fs", "perf_hooks"],
  },
  "server/modules": {
    path: "packages/server/src/modules/([^/]+)/",
    zones: [
      "protocol",
      "server/ports",
      "server/api",
      "server/access",
      "server/delivery",
      "server/presenters",
      "server/collections",
      "server/concurrency",
    ],
    packages: ["@node-rs/argon2", "jose", "file-type", "sanitize-html", "@types/sanitize-html"],
    node: ["crypto", "os", "stream", "stream/consumers"],
  },
  // Variables, the data folder, and what is set up from them. Commands use it without a running server.
  "server/config": {
    path: "packages/server/src/config/",
    zones: ["protocol", "server/ports", "server/api", "server/adapters"],
    packages: ["pino", "zod"],
    node: true,
  },
  "server/backup": {
    path: "packages/server/src/backup/",
    zones: ["server/ports", "server/adapters", "server/modules", "server/config"],
    packages: ["pino"],
    node: true,
  },
  "server/doctor": {
    path: "packages/server/src/doctor/",
    zones: [
      "protocol",
      "server/ports",
      "server/adapters",
      "server/modules",
      "server/config",
      "server/backup",
    ],
    packages: ["pino", "ws", "@types/ws"],
    node: true,
  },
  // Builds the server out of everything below, and runs it.
  "server/runtime": {
    path: "packages/server/src/(runtime/|[^/]+\\.ts$)",
    zones: [
      "protocol",
      "server/ports",
      "server/api",
      "server/adapters",
      "server/access",
      "server/presenters",
      "server/delivery",
      "server/gateway",
      "server/http",
      "server/metrics",
      "server/modules",
      "server/config",
      "server/backup",
      "server/doctor",
    ],
    packages: [...fastify, "pino", "zod"],
    node: true,
  },
  // The programs that people start beside the server. Nothing of the product imports them.
  "server/cli": {
    path: "packages/server/src/cli/",
    zones: [
      "protocol",
      "server/ports",
      "server/adapters",
      "server/modules",
      "server/presenters",
      "server/config",
      "server/backup",
      "server/doctor",
      "server/runtime",
    ],
    packages: ["commander", "zod"],
    node: true,
  },
  "server/testing": {
    path: "packages/server/src/testing/",
    zones: [
      "protocol",
      "server/ports",
      "server/api",
      "server/adapters",
      "server/access",
      "server/presenters",
      "server/delivery",
      "server/gateway",
      "server/http",
      "server/modules",
      "server/config",
      "server/runtime",
      "server/cli",
    ],
    packages: true,
    node: true,
  },

  // What a client believes is part of what the server promises: batteries of faults run the very client. No product code imports this.
  reliability: {
    path: "packages/reliability/",
    zones: [
      "protocol",
      "core/model",
      "core/client",
      "core/testing",
      "server/ports",
      "server/api",
      "server/adapters",
      "server/gateway",
      "server/http",
      "server/modules",
      "server/config",
      "server/doctor",
      "server/runtime",
      "server/testing",
    ],
    packages: true,
    node: true,
  },

  // The batteries of the browser start the servers that all batteries start.
  e2e: {
    path: "packages/e2e/",
    zones: ["protocol", "desktop/bridge", "server/testing", "reliability"],
    packages: [
      "@playwright/test",
      "axe-core",
      "puppeteer-core",
      "selenium-webdriver",
      "@types/selenium-webdriver",
      "fflate",
    ],
    node: true,
  },
  bench: {
    path: "packages/bench/",
    zones: ["protocol", "core/model", "core/client", "core/testing", "server/testing", "reliability", "e2e"],
    packages: true,
    node: true,
  },
  tools: {
    path: "tools/",
    zones: ["protocol", "server/testing", "reliability", "e2e", "configuration"],
    packages: true,
    node: true,
  },
  // Its packages are installed only where somebody makes packages, so nothing of the repository is imported, and nothing imports it.
  "desktop/packaging": { path: "packages/desktop/packaging/", packages: true, node: true },
  configuration: {
    path: "(packages/[^/]+/[^/]+\\.config\\.ts|packages/web/web-manifest\\.ts|[^/]+\\.config\\.ts|[^/]+\\.mjs)$",
    // Playwright's configuration names the browser that some tests start by themselves, Lingui's adds the sentences of errors.
    zones: ["e2e", "protocol"],
    packages: true,
    node: true,
  },
};

const CHAT = "packages/web/src/features/chat/";

/**
 * Inside the chat feature imports go one way, from the screens at its top down to the messages: a folder may import itself and the
 * folders of its row. The files at the top may import every folder. They put the parts together, so no folder imports them.
 * @satisfies {Record<string, string[]>}
 */
const CHAT_FOLDERS = {
  message: [],
  list: [],
  composer: ["message"],
  timeline: ["message"],
  panel: ["list", "message"],
  saved: ["message"],
  search: ["message", "panel", "timeline"],
  system: ["message", "timeline"],
  viewer: ["message"],
};

const test = "\\.test\\.tsx?$";

/**
 * A zone whose folders are siblings (features, adapters, modules) may import its own folder only: `$1` is that folder's name.
 * @param {Zone} zone
 */
function ownPath(zone) {
  return `^${zone.path.replace("([^/]+)", "$1")}`;
}

/** @param {string} name */
function pathOf(name) {
  const zone = Object.entries(ZONES).find(([other]) => other === name)?.[1];
  if (zone === undefined) throw new Error(`no zone ${name}`);
  return `^${zone.path.replace("([^/]+)", "[^/]+")}`;
}

/** @param {[string, Zone]} row */
function ruleOf([name, zone]) {
  const names = zone.packages === true ? ["[^/]+"] : (zone.packages ?? []);
  // A package whose version differs from the root's lies in the node_modules of the workspace.
  const packages = names.flatMap((one) => [
    `^node_modules/${one}(/|$)`,
    `^packages/[^/]+/(packaging/)?node_modules/${one}(/|$)`,
  ]);
  const parts = zone.node === true ? [] : (zone.node ?? []).map((part) => `^(node:)?${part}$`);
  return {
    name: `${name}: imports what its row does not allow`,
    severity: "error",
    from: { path: `^${zone.path}`, pathNot: [test] },
    to: {
      couldNotResolve: false,
      pathNot: [ownPath(zone), ...(zone.zones ?? []).map(pathOf), ...packages, ...parts],
      ...(zone.node === true ? { dependencyTypesNot: ["core"] } : {}),
    },
  };
}

/** @param {[string, string[]]} row */
function chatRuleOf([folder, below]) {
  return {
    name: `chat/${folder}: imports what its row does not allow`,
    severity: "error",
    from: { path: `^${CHAT}${folder}/`, pathNot: [test] },
    to: {
      path: `^${CHAT}`,
      pathNot: [folder, ...below].map((name) => `^${CHAT}${name}/`),
    },
  };
}

export default {
  forbidden: [
    ...Object.entries(ZONES).map(ruleOf),
    ...Object.entries(CHAT_FOLDERS).map(chatRuleOf),
    {
      name: "chat: every folder has a row",
      severity: "error",
      from: {
        path: `^${CHAT}[^/]+/`,
        pathNot: [test, ...Object.keys(CHAT_FOLDERS).map((folder) => `^${CHAT}${folder}/`)],
      },
      to: {},
    },
    { name: "nothing imports a test", severity: "error", from: {}, to: { path: test } },
    {
      name: "every import resolves",
      severity: "error",
      from: { pathNot: [pathOf("desktop/packaging")] },
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: "(^|/)node_modules/" },
    exclude: { path: "(^|/)(dist|dist[.][^/]+|packages/desktop/out|test-results|playwright-report)/" },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "node", "default", "types"],
      extensions: [".ts", ".tsx", ".js", ".mjs", ".json", ".css"],
    },
  },
};
