import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { lingui } from "@lingui/vite-plugin";
import react from "@vitejs/plugin-react";
import { type Plugin, defineConfig, type Rollup } from "vite";

const here = fileURLToPath(new URL(".", import.meta.url));

/** Where `npm run dev` started the server. The dev server forwards requests for the API, the socket and files to it. */
const server = process.env["PARLEY_SERVER"] ?? "http://127.0.0.1:8080";

const { version } = JSON.parse(readFileSync(`${here}package.json`, "utf8")) as { version: string };

/** Modules that every first screen needs: the entry, the core, and the parts of the login form. */
const BASE = [
  /node_modules\/(?!(radix-ui|@radix-ui|@floating-ui|aria-hidden|react-remove-scroll|react-style-singleton|use-callback-ref|use-sidecar|get-nonce|tslib|lucide-react|linkify-it|uc\.micro)\b)/,
  /\/packages\/core\/src\/(assemble-client|session-scope|state-store|session\/(accounts|session-service|token-store)|connection\/(api|server-address)|storage\/(key-value-storage|tab-messages))\./,
  /\/packages\/core\/src\/model\/(forms\/form-rules|signed-out-state)\./,
  /\/packages\/protocol\/src\/(endpoints\/(account|uploads|users)|codes|endpoint|entities|envelope|fields|headers|limits|text)\./,
  /\/src\/app\/(app|booting|client-notice-toasts|error-boundary|main|routes|watch-keyboard)\./,
  /\/src\/kit\/(auth-footer|custom-server|failure-text|i18n|language-picker|load-chunk|locale|preferences|theme|toasts|use-client|use-form)\./,
  /\/src\/platform\/(?!channel-mutex|indexed-db|local-database|sound|system-notification|vault)/,
  /\/src\/ui\/(auth-frame|base|button|class-names|field|icons|ime|inline-select|logo|spinner|toast-store|tokens|ui-texts)\./,
  /\/features\/login\/(?!account-list)/,
];

/** Icons of the shell. The icons listed here belong to menus and dialogs and are loaded with those. */
const ICONS =
  /node_modules\/lucide-react\/(?!dist\/esm\/icons\/(arrow-left-right|at-sign|ban|bell-ring|chevron-(right|up)|contact-round|copy|corner-down-left|external-link|eye|gift|globe|id-card|info|keyboard|list-checks|locate-fixed|lock|log-out|map-pin|megaphone|message-square-(dot|text)|mic(-off)?|monitor|panel-left-(close|open)|pencil|pin-off|rotate-(ccw|cw)|send|sliders-horizontal|smartphone|sun-moon|trash(-2)?|undo-2|user-plus|user-round-(minus|plus)|users|vibrate)\.)/;

/** Menus and dialogs, built on headless components. Reading and writing messages does not need them. */
const OVERLAY = [
  /node_modules\/(radix-ui|@radix-ui|@floating-ui|aria-hidden|react-remove-scroll|react-style-singleton|use-callback-ref|use-sidecar|get-nonce|tslib)/,
  /\/src\/ui\/(dialog|menu|segmented|switch|tabs)\b/,
  /node_modules\/lucide-react\//,
];

const isOneOf = (patterns: readonly RegExp[]) => (id: string) => patterns.some((pattern) => pattern.test(id));

/** Each catalogue is split into parts, because all texts together are too large for the login screen. */
const TEXTS = {
  /** Texts shown before anybody is signed in. */
  first:
    /^((app|end|failure|field|login|register|server|upload)\.|error\.(account|file|login|register|upload)\.)/,
  /** Texts that only registration shows; the password rules are used elsewhere too. */
  register: /^(error\.)?register\.(?!password|confirm)/,
  /** Texts of lazily loaded components; loaded together with them. */
  lazy: /^((block|calendar|chatMenu|choose|code|compose|emoticon|find|groupInfo|groups|keys|members|moderate|naming|readers|remind|request|search|settings|notice|system(?!\.hint)|welcome)\.|card\.(?!open$)|error\.(?!message\.notFound$)|friend\.(?!(add|asked|clearSearch)$))/,
} as const;

function partOf(id: string): "first" | "register" | "shell" | "lazy" {
  if (TEXTS.register.test(id)) return "register";
  if (TEXTS.first.test(id)) return "first";
  return TEXTS.lazy.test(id) ? "lazy" : "shell";
}

/** Makes `zh-CN.json?shell?lingui` the part "shell" of the catalogue that lingui compiled. */
function splitCatalogues(): Plugin {
  return {
    name: "parley-split-catalogues",
    transform: {
      filter: { id: /\?lingui$/ },
      handler(code, id) {
        const compiled = /JSON\.parse\((".*")\)/s.exec(code)?.[1];
        if (compiled === undefined)
          this.error("cannot find the messages in the catalogue that lingui compiled");
        const messages = Object.entries(JSON.parse(JSON.parse(compiled) as string) as object);
        const wanted = /\?(\w+)\?lingui$/.exec(id)?.[1];
        const part = messages.filter(([key]) => partOf(key) === wanted);
        return {
          code: `export const messages = JSON.parse(${JSON.stringify(JSON.stringify(Object.fromEntries(part)))});`,
          map: null,
        };
      },
    },
  };
}

/** Properties of an endpoint definition that only the server needs: input validation, and a line for the API page. */
const SERVER_ONLY = new Set(["summary", "params", "query", "body"]);

/** Removes the server-only properties from endpoint definitions. The client needs only the names of the calls and their answers. */
function stripServerContract(): Plugin {
  return {
    name: "parley-strip-server-contract",
    enforce: "post",
    transform: {
      filter: { id: /\/packages\/protocol\/src\/endpoints\// },
      handler(code) {
        const parts: string[] = [];
        let from = 0;
        for (const { start, end } of this.parse(code).body.flatMap(serverOnlyProperties)) {
          parts.push(code.slice(from, start));
          // Remove the comma after it too.
          from = end + (/^\s*,/.exec(code.slice(end))?.[0].length ?? 0);
        }
        return { code: parts.join("") + code.slice(from), map: null };
      },
    },
  };
}

type Statement = ReturnType<Rollup.PluginContext["parse"]>["body"][number];

/** The server-only properties in `export const name = endpoint({ ... })`, in order. */
function serverOnlyProperties(statement: Statement): { start: number; end: number }[] {
  const declared = statement.type === "ExportNamedDeclaration" ? statement.declaration : null;
  const inits = declared?.type === "VariableDeclaration" ? declared.declarations.map(({ init }) => init) : [];
  return inits.flatMap((init) => {
    if (init?.type !== "CallExpression" || init.callee.type !== "Identifier") return [];
    const [definition] = init.arguments;
    if (init.callee.name !== "endpoint" || definition?.type !== "ObjectExpression") return [];
    return definition.properties.filter(
      (part) => part.type === "Property" && part.key.type === "Identifier" && SERVER_ONLY.has(part.key.name),
    );
  });
}

interface Modules {
  getModuleInfo(id: string): { readonly importedIds: readonly string[] } | null;
}

const SHELL = `${here}src/app/shell-chunk.ts`;
/** Our modules that the shell and the chats consist of, including the entry. Computed at the first use. */
let shellModules: ReadonlySet<string> | null = null;

/** All of our modules that `entry` imports statically, directly or indirectly. */
function modulesImportedBy(entry: string, modules: Modules): ReadonlySet<string> {
  const found = new Set([entry]);
  // Iterating a set also visits the elements that are added meanwhile.
  for (const id of found) {
    for (const imported of modules.getModuleInfo(id)?.importedIds ?? []) {
      if (!imported.includes("/node_modules/")) found.add(imported);
    }
  }
  return found;
}

function shellChunk(id: string, modules: Modules): "shell" | null {
  shellModules ??= modulesImportedBy(SHELL, modules);
  return shellModules.has(id) || ICONS.test(id) ? "shell" : null;
}

/** Few files for the first screens (interface §20): one for every start and the login, one for the shell and the chats. */
const GROUPS = [
  { name: "index", priority: 2, test: isOneOf(BASE) },
  { name: shellChunk, priority: 1 },
  { name: "overlay", priority: 0, test: isOneOf(OVERLAY) },
];

export default defineConfig({
  root: here,
  // The plugin looks for its configuration from the working directory, which is the repository root in tests.
  plugins: [
    react(),
    lingui({ cwd: here, configPath: `${here}lingui.config.ts`, failOnMissing: true }),
    splitCatalogues(),
    stripServerContract(),
  ],
  // Use React's own store hook instead of the shim for older versions that the router imports.
  resolve: { alias: { "use-sync-external-store/shim/index.js": "react" } },
  define: { __APP_VERSION__: JSON.stringify(version) },
  build: {
    target: "es2022",
    // The first versions that support `light-dark()`, which every colour uses.
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    manifest: true,
    // The polyfill would be an inline script, which the content security policy refuses.
    modulePreload: { polyfill: false },
    rolldownOptions: { output: { codeSplitting: { groups: GROUPS } } },
  },
  server: {
    host: "127.0.0.1",
    port: 5173,
    strictPort: true,
    proxy: {
      "/api": server,
      "/files": server,
      "/im": { target: server.replace(/^http/, "ws"), ws: true },
    },
  },
});
