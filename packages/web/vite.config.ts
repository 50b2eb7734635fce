import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { lingui } from "@lingui/vite-plugin";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin, type Rolldown } from "vite";
import { webManifests } from "./web-manifest.ts";

const here = fileURLToPath(new URL(".", import.meta.url));

/** Where `npm run dev` started the server. The dev server forwards requests for the API, the socket and files to it. */
const server = process.env["PARLEY_SERVER"] ?? "http://127.0.0.1:8080";

const { version } = JSON.parse(readFileSync(`${here}package.json`, "utf8")) as { version: string };

/** Loaded with the first screen after sign-in, together with everything that it imports. */
const SIGNED_IN = /\/src\/app\/shell-chunk\.ts$/;

/** Loaded in the desktop application only. */
const OF_DESKTOP = /\/src\/app\/desktop\//;

/**
 * Few files (interface §20): one for the login screen, one for the chats, and one for each area that is opened later. A part has a file of
 * its own only if most people never need it.
 */
const GROUPS: Rolldown.CodeSplittingGroup[] = [
  { name: "index", tags: ["$initial"], priority: 9 },
  { name: "shell", test: SIGNED_IN, priority: 8 },
  { name: "desktop-state", test: /\/kit\/settings\/desktop-state\.ts$/, priority: 7 },
  { name: "shared", minShareCount: 2, priority: 6 },
  {
    name: "chat-more",
    test: /\/src\/(features\/chat|kit\/(emoji|message-field))\/(?!.*\/desktop-)/,
    priority: 5,
  },
  { name: "people", test: /\/src\/features\/(contacts|groups|profile)\//, priority: 4 },
  {
    name: "dialogs",
    test: /\/src\/(app\/(commands|requested-dialog|main-menu|me-screen|confirm-|share-)|features\/(settings|switcher)\/(?!desktop-))/,
    priority: 3,
  },
];

/**
 * The name of a class of a style sheet on the page. Vite's own names end with the number of their line, which takes more than a kilobyte
 * of the first screens.
 */
function className(local: string, file: string): string {
  const sheet = createHash("sha256").update(relative(here, file)).digest("base64url");
  return `${local}_${sheet.slice(0, 4)}`;
}

/** Puts the list of all packages beside the page, which links to it. */
function thirdPartyNotices(): Plugin {
  return {
    name: "third-party-notices",
    apply: "build",
    generateBundle() {
      const source = readFileSync(`${here}../../THIRD-PARTY-NOTICES.md`, "utf8");
      this.emitFile({ type: "asset", fileName: "third-party-notices.txt", source });
    },
  };
}

/** Names the file of the chats in the page, which `head.js` asks for at once on their paths: else it is asked for when the entry has run. */
function preloadChats(): Plugin {
  return {
    name: "preload-chats",
    apply: "build",
    transformIndexHtml: {
      order: "post",
      handler(_, { bundle }) {
        const shell = Object.values(bundle ?? {}).find(
          (file) => file.type === "chunk" && file.name === "shell",
        );
        if (shell === undefined) throw new Error("the build has no file of the chats");
        const attrs = { name: "chats-program", content: `/${shell.fileName}` };
        return [{ tag: "meta", attrs, injectTo: "head-prepend" }];
      },
    },
  };
}

/** Compiles the texts again after a change of the sentences of errors, which `lingui.config.ts` adds to them. */
function watchErrorSentences(): Plugin {
  const sentences = join(here, "../protocol/src/errors.json");
  return {
    name: "watch-error-sentences",
    configureServer({ watcher }) {
      watcher.add(sentences);
    },
    hotUpdate({ file, modules }) {
      if (file !== sentences) return modules;
      const all = [...this.environment.moduleGraph.idToModuleMap.values()];
      return all.filter(({ id }) => id?.endsWith("?lingui"));
    },
  };
}

export default defineConfig({
  root: here,
  // The plugin looks for its configuration from the working directory, which is the repository root in tests.
  plugins: [
    react(),
    thirdPartyNotices(),
    webManifests(here),
    lingui({ cwd: here, configPath: `${here}lingui.config.ts`, failOnMissing: true }),
    watchErrorSentences(),
    preloadChats(),
  ],
  // Use React's own store hook instead of the shim for older versions that the router imports.
  resolve: { alias: { "use-sync-external-store/shim/index.js": "react" } },
  css: { modules: { generateScopedName: className } },
  define: { __APP_VERSION__: JSON.stringify(version) },
  build: {
    target: "es2022",
    // The first versions that support `light-dark()`, which every colour uses.
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    manifest: true,
    // The licence texts of all packages that are part of the built files.
    license: { fileName: "third-party-licences.txt" },
    // The polyfill would be an inline script, which the content security policy refuses.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: { groups: GROUPS },
        // The names tell the service worker what a browser needs at its first start.
        chunkFileNames: ({ facadeModuleId }) => {
          if (facadeModuleId?.includes("/locales/admin/") === true) return "assets/admin-texts-[hash].js";
          const isOfDesktop = facadeModuleId !== null && OF_DESKTOP.test(facadeModuleId);
          return `assets/${isOfDesktop ? "desktop-" : ""}[name]-[hash].js`;
        },
      },
      // Radix names each of its components with a call of this function. Without the component, the call is not needed either.
      treeshake: { manualPureFunctions: ["__name"] },
    },
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
