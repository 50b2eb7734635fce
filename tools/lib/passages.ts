import { readFileSync, readdirSync } from "node:fs";
import { join, relative } from "node:path";
import { filesUnder } from "./files.ts";
import { parseSource } from "./parse-source.ts";
import { titlesOf } from "./test-titles.ts";

/** A comment, a test title or a whole document, with its location. */
export interface Passage {
  path: string;
  line: number;
  text: string;
}

/** Documents with texts of others. */
const THIRD_PARTY = /^(?:THIRD-PARTY-NOTICES|LICENSE)/;

/** `path:line` of an offset in a passage. */
export function placeIn({ path, line, text }: Passage, offset: number): string {
  return `${path}:${line + text.slice(0, offset).split("\n").length - 1}`;
}

/** All documents of the repository. */
export function documentsOf(root: string): Passage[] {
  const top = readdirSync(root).map((name) => join(root, name));
  const below = ["docs", "packages", "tools"].flatMap((folder) => filesUnder(join(root, folder)));
  return [...top, ...below]
    .map((file) => ({ file, path: relative(root, file).replaceAll("\\", "/") }))
    .filter(({ path }) => path.endsWith(".md") && !THIRD_PARTY.test(path))
    .map(({ file, path }) => ({ path, line: 1, text: readFileSync(file, "utf8") }));
}

/** All comments and test titles. Other strings are left out, because the tests of the checks contain bad references on purpose. */
export function codeOf(root: string): Passage[] {
  const passages: Passage[] = [];
  for (const file of ["packages", "tools"].flatMap((folder) => filesUnder(join(root, folder)))) {
    if (file.endsWith(".css")) {
      const text = readFileSync(file, "utf8");
      const path = relative(root, file).replaceAll("\\", "/");
      // Everything but the comments is blanked, so that line numbers stay correct.
      const comments = text.replace(/\/\*[^]*?\*\/|[^\n]/g, (part) => (part.startsWith("/*") ? part : " "));
      passages.push({ path, line: 1, text: comments });
    }
    if (!/\.[cm]?[jt]sx?$/.test(file)) continue;
    const { path, text, comments } = parseSource(root, file);
    for (const { value, start } of comments) {
      passages.push({ path, line: text.slice(0, start).split("\n").length, text: value });
    }
    if (!/\.(?:test|spec)\.tsx?$/.test(file)) continue;
    for (const { title, where } of titlesOf(root, file)) {
      passages.push({ path, line: Number(where.split(":").at(-1)), text: title });
    }
  }
  return passages;
}
