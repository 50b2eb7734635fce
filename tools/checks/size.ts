import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
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

/** Kilobytes of 1,000 bytes, compressed by gzip. */
const LIMITS = { login: 120, chat: 240, everything: 480, chatFiles: 12 } as const;

/** What a screen loads: the parts of the sources whose chunks it asks for, beside the entry, which holds the login screen. The chats come with the shell. */
const LOGIN = [/\/locales\/.*\?first\?/];
const CHAT = [...LOGIN, /\/locales\/.*\?shell\?/, /\/app\/shell-chunk/];

/** A catalogue of one language, and which part of it. */
const TEXTS = /\/locales\/[\w-]+\.json(\?.*)$/;

/** A browser reads one language: of each part of the texts all catalogues but the largest. */
function textsOfOtherLanguages(manifest: Manifest, sizeOf: (file: string) => number): Set<string> {
  const largest = new Map<string, string>();
  const others = new Set<string>();
  for (const [key, { file }] of Object.entries(manifest)) {
    const part = TEXTS.exec(key)?.[1];
    if (part === undefined) continue;
    const known = largest.get(part);
    if (known === undefined || sizeOf(file) > sizeOf(known)) largest.set(part, file);
    others.add(file);
  }
  for (const file of largest.values()) others.delete(file);
  return others;
}

/** The files that the browser fetches for some chunks: their code, what that imports at once, and the styles of both. */
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

/** Scripts and styles that the page itself names, those included that Vite only copied. */
function filesOfPage(dist: string): string[] {
  const page = readFileSync(join(dist, "index.html"), "utf8");
  return [...page.matchAll(/(?:src|href)="\/([^"]+\.(?:js|css))"/g)].map(([, file = ""]) => file);
}

/** Measures a built client (the folder with `index.html`) against the budget. */
export function sizeProblems(dist: string): string[] {
  const manifestFile = join(dist, ".vite/manifest.json");
  if (!existsSync(manifestFile)) return [`${manifestFile} is missing: the client was not built`];
  const manifest = JSON.parse(readFileSync(manifestFile, "utf8")) as Manifest;
  const problems: string[] = [];
  const compressed = new Map<string, number>();
  const kilobytes = (files: Iterable<string>): number => {
    let sum = 0;
    for (const file of files) {
      const known = compressed.get(file) ?? gzipSync(readFileSync(join(dist, file)), { level: 9 }).length;
      compressed.set(file, known);
      sum += known / 1000;
    }
    return sum;
  };
  const entries = Object.keys(manifest).filter((key) => manifest[key]?.isEntry);
  const always = filesOfPage(dist);
  /** A screen's files; of several languages the largest counts, since a browser loads one. */
  const screen = (parts: RegExp[]): Set<string> => {
    const keys = parts.flatMap((part) => {
      const found = Object.keys(manifest).filter((key) => part.test(key));
      if (found.length === 0)
        problems.push(`no chunk is made from ${part.source}: the budget cannot be measured`);
      return found
        .sort((a, b) => kilobytes([manifest[b]?.file ?? ""]) - kilobytes([manifest[a]?.file ?? ""]))
        .slice(0, 1);
    });
    return new Set([...always, ...filesOf(manifest, [...entries, ...keys])]);
  };
  const judge = (what: string, measured: number, limit: number, unit: string): void => {
    if (measured > limit) problems.push(`${what}: ${measured.toFixed(1)}${unit}, allowed ${limit}${unit}`);
  };
  const chat = screen(CHAT);
  judge("login screen", kilobytes(screen(LOGIN)), LIMITS.login, " KB gz");
  judge("first chat screen", kilobytes(chat), LIMITS.chat, " KB gz");
  judge("files for the first chat screen", chat.size, LIMITS.chatFiles, "");
  const scripts = filesUnder(dist, { skip: /^$/ })
    .map((file) => file.slice(dist.length + 1))
    .filter((file) => file.endsWith(".js"));
  const foreign = textsOfOtherLanguages(manifest, (file) => kilobytes([file]));
  judge("all scripts", kilobytes(scripts.filter((file) => !foreign.has(file))), LIMITS.everything, " KB gz");
  return problems;
}

export const size: Check = {
  name: "size budget",
  async run() {
    await buildWeb();
    return sizeProblems(join(repository, "packages/web/dist"));
  },
};
