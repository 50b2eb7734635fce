import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { ERROR_SENTENCES } from "@parley/protocol/errors";
import { type Check } from "../lib/check-type.ts";
import { filesUnder, repository } from "../lib/files.ts";
import { buildWeb } from "../lib/web-build.ts";

/** One entry of the manifest that Vite writes beside the built client. */
interface Chunk {
  file: string;
  isEntry?: boolean;
  imports?: string[];
  css?: string[];
}

type Manifest = Record<string, Chunk>;

/**
 * Kilobytes of 1,000 bytes, compressed by gzip. What other parts have of calls (texts, buttons, the self-check) takes 8 of `withoutCalls`,
 * what reports of abuse add for everybody 4, what asks whether it is in the desktop application 3.
 * `everything` is without the administration, which few people load, and without what only the desktop application loads.
 */
const LIMITS = {
  login: 160,
  chat: 340,
  calls: 62,
  admin: 55,
  desktop: 20,
  withoutCalls: 470,
  everything: 520,
  chatFiles: 16,
} as const;

const REMEDY =
  "load what is not needed at once by import(), use less of a package, or raise the limit in tools/checks/size.ts and say why";

/** The texts of each language, without those of the administration. */
const TEXTS = /\/locales\/[\w-]+\.json\?lingui$/;

/** The chunks that a screen loads in addition to the entry. The entry contains the login screen, the shell the chats. */
const LOGIN = [TEXTS];
const CHAT = [...LOGIN, /^_shell-.*\.js$/];
/** The chunks of the administration, which few people load: its screens, the route to them, and its texts. */
const ADMIN = [/\/admin-chunk\.ts$/, /\/admin-route\.tsx$/];
const ADMIN_TEXTS = /\/locales\/admin\/[\w-]+\.json\?lingui$/;
/** The chunks that only the desktop application loads. */
const DESKTOP = /^_desktop-|\/desktop(-[\w-]+\.tsx?|\/[\w-]+\.tsx?)$/;
/** Stands in the code of the administration and nowhere else. */
const ADMIN_MARK = "/admin/overview";
/** Stands in the sentences of errors in all languages, and in no text of the client. */
const ALL_SENTENCES_MARK = ERROR_SENTENCES["server.error"].en;
/** The chunk that is loaded with the first call. */
const CALLS = /\/calls-chunk\.ts$/;

/** The files that the browser fetches for some chunks: their code, their static imports, and the styles of both. */
function filesOf(manifest: Manifest, keys: string[]): Set<string> {
  const files = new Set<string>();
  const seen = new Set<string>();
  const add = (key: string): void => {
    const chunk = manifest[key];
    if (chunk === undefined || seen.has(key)) return;
    seen.add(key);
    files.add(chunk.file);
    for (const style of chunk.css ?? []) files.add(style);
    for (const imported of chunk.imports ?? []) add(imported);
  };
  for (const key of keys) add(key);
  return files;
}

/** Scripts and styles that the page itself loads, including those that Vite only copied. */
function filesOfPage(dist: string): string[] {
  const page = readFileSync(join(dist, "index.html"), "utf8");
  return [...page.matchAll(/(?:src|href)="\/([^"]+\.(?:js|css))"/g)].map(([, file = ""]) => file);
}

/** Measures a built client (the folder with `index.html`) against the budget. */
export function sizeProblems(dist: string): string[] {
  const manifestFile = join(dist, ".vite/manifest.json");
  if (!existsSync(manifestFile))
    return [`${manifestFile} is missing: the client was not built; run npx node tools/build-web.ts`];
  const manifest = JSON.parse(readFileSync(manifestFile, "utf8")) as Manifest;
  const problems: string[] = [];
  const compressedSizes = new Map<string, number>();
  const kilobytes = (files: Iterable<string>): number => {
    let sum = 0;
    for (const file of files) {
      const bytes =
        compressedSizes.get(file) ?? gzipSync(readFileSync(join(dist, file)), { level: 9 }).length;
      compressedSizes.set(file, bytes);
      sum += bytes / 1000;
    }
    return sum;
  };
  const entries = Object.keys(manifest).filter((key) => manifest[key]?.isEntry);
  const pageFiles = filesOfPage(dist);
  /** The manifest's keys of these chunks, the largest first. */
  const keysOf = (part: RegExp): string[] =>
    Object.keys(manifest)
      .filter((key) => part.test(key))
      .sort((a, b) => kilobytes([manifest[b]?.file ?? ""]) - kilobytes([manifest[a]?.file ?? ""]));
  /** The files of a screen. If it has one chunk for each language, the largest counts, since a browser loads one. */
  const filesOfScreen = (parts: RegExp[]): Set<string> => {
    const keys = parts.flatMap((part) => {
      const [largest] = keysOf(part);
      if (largest === undefined)
        problems.push(
          `no chunk matches ${part.source}: the budget cannot be measured; mend the pattern in tools/checks/size.ts`,
        );
      return largest ?? [];
    });
    return new Set([...pageFiles, ...filesOf(manifest, [...entries, ...keys])]);
  };
  const checkLimit = (what: string, measured: number, limit: number, unit: string): void => {
    if (measured <= limit) return;
    const excess = `${measured.toFixed(1)}${unit}, allowed ${limit}${unit}`;
    problems.push(`${what}: ${excess}; ${REMEDY}`);
  };
  const chatFiles = filesOfScreen(CHAT);
  checkLimit("login screen", kilobytes(filesOfScreen(LOGIN)), LIMITS.login, " KB gz");
  checkLimit("first chat screen", kilobytes(chatFiles), LIMITS.chat, " KB gz");
  // What calls share with other parts counts as theirs.
  const callFiles = keysOf(CALLS).flatMap((key) => {
    const chunk = manifest[key];
    return chunk === undefined ? [] : [chunk.file, ...(chunk.css ?? [])];
  });
  checkLimit("calls", kilobytes(callFiles), LIMITS.calls, " KB gz");
  checkLimit("files for the first chat screen", chatFiles.size, LIMITS.chatFiles, "");
  const [adminTexts, ...otherAdminTexts] = keysOf(ADMIN_TEXTS);
  const adminFiles = [...ADMIN.flatMap(keysOf), ...(adminTexts === undefined ? [] : [adminTexts])].flatMap(
    (key) => {
      const chunk = manifest[key];
      return chunk === undefined ? [] : [chunk.file, ...(chunk.css ?? [])];
    },
  );
  checkLimit("administration", kilobytes(adminFiles), LIMITS.admin, " KB gz");
  // The login screen loads a part of them. Under Vite's names no file of the administration is among them, but its code could be in one.
  for (const file of chatFiles) {
    if (adminFiles.includes(file) || readFileSync(join(dist, file), "utf8").includes(ADMIN_MARK))
      problems.push(
        `${file}, which everybody loads, has code of the administration; import it from nothing but admin-chunk.ts`,
      );
  }
  const desktopFiles = keysOf(DESKTOP).flatMap((key) => {
    const chunk = manifest[key];
    return chunk === undefined ? [] : [chunk.file, ...(chunk.css ?? [])];
  });
  checkLimit("desktop application", kilobytes(desktopFiles), LIMITS.desktop, " KB gz");
  const scripts = filesUnder(dist, { skip: /^$/ })
    .map((file) => file.slice(dist.length + 1))
    .filter((file) => file.endsWith(".js"));
  for (const file of scripts) {
    if (readFileSync(join(dist, file), "utf8").includes(ALL_SENTENCES_MARK))
      problems.push(
        `${file} has the sentences of errors in all languages; use the texts error.<key> of the locale`,
      );
  }
  const otherLanguages = new Set(
    [...keysOf(TEXTS).slice(1), ...otherAdminTexts].map((key) => manifest[key]?.file),
  );
  const separate = new Set([...otherLanguages, ...adminFiles, ...desktopFiles]);
  const shown = scripts.filter((file) => !separate.has(file));
  checkLimit("all scripts", kilobytes(shown), LIMITS.everything, " KB gz");
  checkLimit(
    "all scripts without calls",
    kilobytes(shown.filter((file) => !callFiles.includes(file))),
    LIMITS.withoutCalls,
    " KB gz",
  );
  return problems;
}

/** The built web client stays within the size budget. */
export const size: Check = {
  name: "size budget",
  isLong: true,
  async run() {
    await buildWeb();
    return sizeProblems(join(repository, "packages/web/dist"));
  },
};
