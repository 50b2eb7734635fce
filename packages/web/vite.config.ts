import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { lingui } from "@lingui/vite-plugin";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

const here = fileURLToPath(new URL(".", import.meta.url));

/** Where `npm run dev` started the server; the dev server hands API, socket and files on to it. */
const server = process.env["PARLEY_SERVER"] ?? "http://127.0.0.1:8080";

const { version } = JSON.parse(readFileSync(`${here}package.json`, "utf8")) as { version: string };

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
