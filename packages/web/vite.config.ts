import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { lingui } from "@lingui/vite-plugin";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

const here = fileURLToPath(new URL(".", import.meta.url));

/** Where `npm run dev` started the server; the dev server hands API, socket and files on to it. */
const server = process.env["PARLEY_SERVER"] ?? "http://127.0.0.1:8080";

const { version } = JSON.parse(readFileSync(`${here}package.json`, "utf8")) as { version: string };

/** What every screen begins with: the entry, the core, and what the login form is made of. */
const BASE = [
  /node_modules\/(?!(radix-ui|@radix-ui|@floating-ui|aria-hidden|react-remove-scroll|react-style-singleton|use-callback-ref|use-sidecar|get-nonce|tslib|virtua|idb|lucide-react|linkify-it|uc\.micro)\b)/,
  /\/packages\/(core\/src\/runtime|protocol)\//,
  /\/src\/app\/(app|booting|error-boundary|load-chunk|main|notices|routes|session-end|skip-link|use-landmark-keys|watch-keyboard|window-title)\./,
  /\/src\/kit\/(auth-footer|custom-server|failure-text|i18n|language-picker|locale|preferences|theme|toasts|use-client|use-form)\./,
  /\/src\/platform\/(?!database|vault)/,
  /\/src\/ui\/(auth-frame|avatar|base|button|class-names|empty-state|field|icon|ime|initials|marks|quiet-select|spinner|toast|tooltip|tokens|ui-texts|use-media)\./,
  /\/features\/login\/.*\.css/,
  /lucide-react\/dist\/esm\/(?!icons\/)|lucide-react\/dist\/esm\/icons\/(chevron-down|chevron-up|circle-alert|circle-check|eye|eye-off|globe|info|server|x)\./,
];

/** The shell, and whatever it shares with the screens inside: the headless parts, the database. */
const SHELL = [
  /node_modules\/(radix-ui|@radix-ui|@floating-ui|aria-hidden|react-remove-scroll|react-style-singleton|use-callback-ref|use-sidecar|get-nonce|tslib|virtua|idb|lucide-react)\b/,
  /\/src\/app\/(?!me-screen|register-route)/,
  /\/src\/(kit|ui|platform)\//,
];

const isOneOf = (patterns: readonly RegExp[]) => (id: string) => patterns.some((pattern) => pattern.test(id));

/** Few files for the first screens (interface §20): one for all, one each for login, shell and chats. */
const GROUPS = [
  { name: "index", priority: 2, test: isOneOf(BASE) },
  { name: "shell", priority: 1, test: isOneOf(SHELL) },
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
