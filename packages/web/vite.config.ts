import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { lingui } from "@lingui/vite-plugin";
import react from "@vitejs/plugin-react";
import { type Plugin, defineConfig, type Rollup } from "vite";

const here = fileURLToPath(new URL(".", import.meta.url));

/** Where `npm run dev` started the server; the dev server hands API, socket and files on to it. */
const server = process.env["PARLEY_SERVER"] ?? "http://127.0.0.1:8080";

const { version } = JSON.parse(readFileSync(`${here}package.json`, "utf8")) as { version: string };

/** What every screen begins with: the entry, the core, and what the login form is made of. */
const BASE = [
  /node_modules\/(?!(radix-ui|@radix-ui|@floating-ui|aria-hidden|react-remove-scroll|react-style-singleton|use-callback-ref|use-sidecar|get-nonce|tslib|lucide-react|linkify-it|uc\.micro)\b)/,
  /\/packages\/core\/src\/(assemble-client|state-store|session\/(accounts|session-service|token-store)|connection\/(api|server-address)|storage\/(key-value-storage|local-database))\./,
  /\/packages\/core\/src\/model\/(forms\/form-rules|signed-out-state)\./,
  /\/packages\/protocol\/src\/(endpoints\/(account|uploads|users)|codes|endpoint|entities|envelope|fields|headers|limits|text)\./,
  /\/src\/app\/(app|booting|client-notice-toasts|error-boundary|main|routes|watch-keyboard)\./,
  /\/src\/kit\/(auth-footer|custom-server|failure-text|i18n|language-picker|load-chunk|locale|preferences|theme|toasts|use-client|use-form)\./,
  /\/src\/platform\/(?!channel-mutex|indexed-db|local-database|sound|system-notification|vault)/,
  /\/src\/ui\/(auth-frame|base|button|class-names|field|icons|ime|inline-select|logo|spinner|toast-store|tokens|ui-texts)\./,
  /\/features\/login\/(?!account-list)/,
];

/** Icons of menus and dialogs come with those. */
const ICONS =
  /node_modules\/lucide-react\/(?!dist\/esm\/icons\/(arrow-left-right|at-sign|ban|bell-ring|chevron-(right|up)|contact-round|copy|corner-down-left|external-link|eye|gift|globe|id-card|info|keyboard|list-checks|locate-fixed|lock|log-out|map-pin|megaphone|message-square-(dot|text)|mic(-off)?|monitor|panel-left-(close|open)|pencil|pin-off|rotate-(ccw|cw)|send|sliders-horizontal|smartphone|sun-moon|trash(-2)?|undo-2|user-plus|user-round-(minus|plus)|users|vibrate)\.)/;

/** Menus and dialogs over the headless parts: nobody needs them to read and to write. */
const OVERLAY = [
  /node_modules\/(radix-ui|@radix-ui|@floating-ui|aria-hidden|react-remove-scroll|react-style-singleton|use-callback-ref|use-sidecar|get-nonce|tslib)/,
  /\/src\/ui\/(dialog|menu|segmented|switch|tabs)\b/,
  /node_modules\/lucide-react\//,
];

const isOneOf = (patterns: readonly RegExp[]) => (id: string) => patterns.some((pattern) => pattern.test(id));

/** The login screen has no room for every text of the product: each catalogue comes in parts. */
const TEXTS = {
  /** What is said before anybody is signed in. */
  first:
    /^((app|end|failure|field|login|register|server|upload)\.|error\.(account|file|login|register|upload)\.)/,
  /** Only by who registers; rules of passwords are said elsewhere too. */
  register: /^(error\.)?register\.(?!password|confirm)/,
  /** Only by what is loaded on use; comes with it. */
  lazy: /^((block|calendar|chatMenu|choose|code|compose|emoticon|find|groupInfo|groups|keys|members|moderate|naming|readers|remind|request|search|settings|notice|system(?!\.hint)|welcome)\.|card\.(?!open$)|error\.(?!message\.notFound$)|friend\.(?!(add|asked|clearSearch)$))/,
} as const;

function partOf(id: string): "first" | "register" | "shell" | "lazy" {
  if (TEXTS.register.test(id)) return "register";
  if (TEXTS.first.test(id)) return "first";
  return TEXTS.lazy.test(id) ? "lazy" : "shell";
}

/** `zh-CN.json?shell?lingui` is that part of what lingui compiled. */
function splitCatalogues(): Plugin {
  return {
    name: "parley-split-catalogues",
    transform: {
      filter: { id: /\?lingui$/ },
      handler(code, id) {
        const compiled = /JSON\.parse\((".*")\)/s.exec(code)?.[1];
        if (compiled === undefined) this.error("lingui's catalogue has another form");
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

/** What the server alone needs of a call's definition: its checks of what comes in, and a line for readers of the API page. */
const SERVER_ONLY = new Set(["summary", "params", "query", "body"]);

/** The client names calls and reads their answers; the rest of the contract stays out of what it loads. */
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
          // The comma behind it goes along.
          from = end + (/^\s*,/.exec(code.slice(end))?.[0].length ?? 0);
        }
        return { code: parts.join("") + code.slice(from), map: null };
      },
    },
  };
}

type Statement = ReturnType<Rollup.PluginContext["parse"]>["body"][number];

/** Those of `export const name = endpoint({ ... })`, in order. */
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
/** Our modules that the shell with the chats is made of, itself included; found when the first module is asked about. */
let shellModules: ReadonlySet<string> | null = null;

/** All of ours that `entry` imports, straight or in turn; nothing that is loaded on use. */
function modulesImportedBy(entry: string, modules: Modules): ReadonlySet<string> {
  const found = new Set([entry]);
  // A set that grows while it is walked is walked to its new end.
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

/** Few files for the first screens (interface §20): one for all with the login, one for the shell with the chats. */
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
  // React's own store hook, not the stand-in for older ones that the router asks for.
  resolve: { alias: { "use-sync-external-store/shim/index.js": "react" } },
  define: { __APP_VERSION__: JSON.stringify(version) },
  build: {
    target: "es2022",
    // The first ones with `light-dark()`, on which every colour stands.
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
