import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { lingui } from "@lingui/vite-plugin";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

const here = fileURLToPath(new URL(".", import.meta.url));

/** Where `npm run dev` started the server; the dev server hands API, socket and files on to it. */
const server = process.env["PARLEY_SERVER"] ?? "http://127.0.0.1:8080";

const { version } = JSON.parse(readFileSync(`${here}package.json`, "utf8")) as { version: string };

/** The headless parts, the shell and what draws with them: whoever only signs in needs none of it. */
const SHELL = [
  /node_modules\/(radix-ui|@radix-ui|@floating-ui|aria-hidden|react-remove-scroll|react-style-singleton|use-callback-ref|use-sidecar|virtua)/,
  /\/src\/ui\/(badge|banner|dialog|list-pane|menu|popover|resizer|search-box|skeleton|use-listbox|virtual-list)\b/,
  /\/src\/app\/(areas|clamp-sidebar|connection-bar|dialogs|main-menu|rail|shell|tab-bar|use-area-keys|use-sidebar)\b/,
  /lucide-react\/dist\/esm\/icons\/(?!(chevron-down|chevron-up|circle-alert|circle-check|eye|eye-off|globe|info|server|x)\.)/,
];

/** Parts with a chunk of their own, asked for by a route. */
const LATER = [/\/src\/app\/(me-screen|register-route)\b/, /linkify-it|uc\.micro/];

/** What every screen begins with: the entry, the core, the parts of the login form. */
const BASE = [
  /node_modules|rolldown\/runtime/,
  /\/packages\/(core\/src\/runtime|protocol)\//,
  /\/src\/(app|kit|platform|ui)\//,
  /\/features\/login\/.*\.css/,
];

const isOneOf = (patterns: readonly RegExp[], id: string) => patterns.some((pattern) => pattern.test(id));

/** Few files for the first screens (interface §20): one for all, one each for login, shell and chats. */
const GROUPS = [
  {
    name: "index",
    priority: 2,
    test: (id: string) => isOneOf(BASE, id) && !isOneOf(SHELL, id) && !isOneOf(LATER, id),
  },
  { name: "shell", priority: 1, test: (id: string) => isOneOf(SHELL, id) },
];

export default defineConfig({
  root: here,
  // The plugin looks for its configuration from the working directory, which is the repository root in tests.
  plugins: [react(), lingui({ cwd: here, configPath: `${here}lingui.config.ts`, failOnMissing: true })],
  define: { __APP_VERSION__: JSON.stringify(version) },
  build: {
    target: "es2022",
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
