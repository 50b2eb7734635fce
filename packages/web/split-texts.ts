import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Plugin } from "vite";

/**
 * Imports of our own files that are loaded together with the importing file: also those of the core, whose rules for forms name texts. Types
 * are no code.
 */
const STATIC_IMPORT = /^(?:import|export) (?!type )(?:[^;]*? from )?"(\.[^"]+|@parley\/[^"]+)";/gm;
/** Texts of the desktop application's own process, which takes them from the catalogues itself. */
const OF_DESKTOP_PROCESS = /^desktop\.(menu|tray|dialog)\./;
/** A compiled catalogue, of which the imports with `?rest`, `?admin` and `?desktop` are the other parts. */
const CATALOGUE = /\/locales\/[\w-]+\.json(?:\?(rest|admin|desktop))?\?lingui$/;
/** Texts that only the administration shows, whoever names them. */
const OF_ADMIN = /^(admin|error\.admin)\./;
/** Texts that only the desktop application shows. A browser loads none of them. */
const OF_DESKTOP = /^desktop\./;
const COMPILED = /JSON\.parse\(("(?:[^"\\]|\\.)*")\)/;

/** The file that an import names: beside the importing file, or `@parley/core/client` for `packages/core/src/client.ts`. */
function fileOf(path: string, importer: string): string {
  const [, name, inside] = /^@parley\/([^/]+)\/(.+)$/.exec(path) ?? [];
  if (name === undefined || inside === undefined) return resolve(dirname(importer), path);
  return join(import.meta.dirname, "..", name, "src", `${inside}.ts`);
}

/** The source texts of these files and of all files that are loaded with them. */
function sourcesLoadedWith(files: readonly string[]): string[] {
  const sources = new Map<string, string>();
  const waiting = [...files];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (sources.has(file) || !/\.tsx?$/.test(file) || !existsSync(file)) continue;
    const source = readFileSync(file, "utf8");
    sources.set(file, source);
    for (const [, path = ""] of source.matchAll(STATIC_IMPORT)) waiting.push(fileOf(path, file));
  }
  return [...sources.values()];
}

/** Whether these sources name a text, as a whole ("chat.send") or by its beginning (`error.${key}`). */
function testerOfTextsIn(sources: readonly string[]): (id: string) => boolean {
  const code = sources.join("\n");
  const whole = new Set([...code.matchAll(/["'`]([a-zA-Z]+\.[\w.]+)["'`]/g)].map(([, id]) => id));
  const beginnings = [...code.matchAll(/`([a-zA-Z]+\.[\w.]*)\$\{/g)].map(([, beginning = ""]) => beginning);
  return (id) => whole.has(id) || beginnings.some((beginning) => id.startsWith(beginning));
}

/** Texts of errors that only screens and dialogs show which are loaded later. */
const OF_LATER_SCREENS = [
  /^error\.(blacklist|call|password|register|report)\./,
  // Requests, and what is done on the pages and in the dialogs of friends and groups.
  /^error\.friend\.(already|request|self|theirRequests|yourRequests)/,
  /^error\.group\.(already|cannotJoin|full|notFriends|owner|request|targetNotMember)/,
];

/** The part of a catalogue that has this text; null: no page shows it. */
function partOf(
  id: string,
  isNamedFirst: (id: string) => boolean,
): "first" | "rest" | "admin" | "desktop" | null {
  if (OF_DESKTOP_PROCESS.test(id)) return null;
  if (OF_ADMIN.test(id)) return "admin";
  if (OF_DESKTOP.test(id)) return "desktop";
  const isFirst = isNamedFirst(id) && !OF_LATER_SCREENS.some((pattern) => pattern.test(id));
  return isFirst ? "first" : "rest";
}

/**
 * Splits the texts of each language in four: those that the first screens name, those of the administration, those that only the desktop
 * application shows, and the rest, which is loaded with the first part of the program that comes later. Those of the desktop application's
 * own process are left out. What the first screens are follows from `entries`: they and all files that are loaded with them.
 */
export function splitTexts(webFolder: string, entries: readonly string[]): Plugin {
  let isNamedFirst: (id: string) => boolean = () => false;
  return {
    name: "parley:split-texts",
    apply: "build",
    buildStart() {
      isNamedFirst = testerOfTextsIn(sourcesLoadedWith(entries.map((entry) => join(webFolder, entry))));
    },
    transform: {
      filter: { id: CATALOGUE },
      handler(code, id) {
        const wanted = CATALOGUE.exec(id)?.[1] ?? "first";
        const compiled = COMPILED.exec(code)?.[1];
        if (compiled === undefined) throw new Error(`${id} has no compiled texts`);
        const messages = JSON.parse(JSON.parse(compiled) as string) as Record<string, unknown>;
        const part = Object.entries(messages).filter(([key]) => partOf(key, isNamedFirst) === wanted);
        return `export const messages=JSON.parse(${JSON.stringify(JSON.stringify(Object.fromEntries(part)))});`;
      },
    },
  };
}
