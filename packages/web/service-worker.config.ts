import { createHash } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

const here = fileURLToPath(new URL(".", import.meta.url));

/** Files that the program opens with, in all languages. Emoticons are kept when they are seen; the rest is for installing only. */
const SHELL = /^(assets\/.+|index\.html|theme\.js|favicon\.svg)$/;

/** A file of the build and its revision; null if its name contains a hash already. */
function shellFiles(folder: string): { url: string; revision: string | null }[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .filter((path) => SHELL.test(path))
    .sort()
    .map((path) => ({
      url: `/${path}`,
      revision: path.startsWith("assets/")
        ? null
        : createHash("sha256")
            .update(readFileSync(join(folder, path)))
            .digest("base64url")
            .slice(0, 16),
    }));
}

/**
 * Adds the service worker to a finished build: `vite build --config service-worker.config.ts --outDir <the build>`. It is a build of its own
 * because it contains the list of all files, and because a browser loads it as one classic script.
 */
export default defineConfig(({ mode }) => ({
  root: here,
  publicDir: false,
  plugins: [
    {
      name: "parley:shell-files",
      config: (config) => ({
        define: { __SHELL_FILES__: JSON.stringify(shellFiles(config.build?.outDir ?? join(here, "dist"))) },
      }),
    },
  ],
  define: { "process.env.NODE_ENV": JSON.stringify(mode) },
  build: {
    target: "es2022",
    emptyOutDir: false,
    rolldownOptions: {
      input: join(here, "src/service-worker/service-worker.ts"),
      output: { format: "iife", entryFileNames: "service-worker.js" },
    },
  },
}));
