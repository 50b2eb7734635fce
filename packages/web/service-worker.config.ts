import { createHash } from "node:crypto";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin } from "vite";

const here = fileURLToPath(new URL(".", import.meta.url));

/** Named in `vite.config.ts` as well. */
const LICENCES = "third-party-licences.txt";

/**
 * Files that the program opens with, in all languages. Emoticons are kept when they are seen, the lists of emoji by the browser; the rest is
 * for installing only. The administration is of no use without the server, and what the desktop application adds is of none in a browser.
 */
const SHELL = /^(assets\/(?!admin-|desktop-|emoji-).+|index\.html|head\.js|favicon\.svg)$/;

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

/** Adds the licences of the packages in the service worker to those of the packages in the page, in one file. */
function licencesOfBothBuilds(): Plugin {
  let file = "";
  let ofPage = "";
  return {
    name: "parley:licences",
    configResolved({ build }) {
      file = join(build.outDir, LICENCES);
    },
    buildStart() {
      ofPage = readFileSync(file, "utf8");
    },
    writeBundle() {
      writeFileSync(file, `${ofPage}\n${readFileSync(file, "utf8")}`);
    },
  };
}

/** The texts of `src/service-worker/push-words.ts`. */
const PUSH_TEXT =
  /^(app\.name|chat\.(announce|atMeLabel|unsupported)|notification\.(hidden(Many)?|call(By)?|groupCallBy)|preview\..+|emoticon\.\d+)$/;

function pushTexts(): Record<string, Record<string, string>> {
  const folder = join(here, "src/locales");
  const read = (file: string): [string, Record<string, string>] => {
    const texts = JSON.parse(readFileSync(join(folder, file), "utf8")) as Record<string, string>;
    return [
      file.replace(/\.json$/, ""),
      Object.fromEntries(Object.entries(texts).filter(([key]) => PUSH_TEXT.test(key))),
    ];
  };
  return Object.fromEntries(
    readdirSync(folder)
      .filter((file) => file.endsWith(".json"))
      .map(read),
  );
}

/**
 * Adds the service worker to a finished build: `vite build --config service-worker.config.ts --outDir <the build>`. It is a build of its own
 * because it contains the list of all files, and because a browser loads it as one classic script.
 */
export default defineConfig(({ mode }) => ({
  root: here,
  publicDir: false,
  plugins: [
    licencesOfBothBuilds(),
    {
      name: "parley:shell-files",
      config: (config) => ({
        define: {
          __SHELL_FILES__: JSON.stringify(shellFiles(config.build?.outDir ?? join(here, "dist"))),
          __PUSH_TEXTS__: JSON.stringify(pushTexts()),
        },
      }),
    },
  ],
  define: { "process.env.NODE_ENV": JSON.stringify(mode) },
  build: {
    target: "es2022",
    license: { fileName: LICENCES },
    emptyOutDir: false,
    rolldownOptions: {
      input: join(here, "src/service-worker/service-worker.ts"),
      output: { format: "iife", entryFileNames: "service-worker.js" },
    },
  },
}));
