import { readFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { type Check } from "../lib/check-type.ts";
import { filesUnder } from "../lib/files.ts";
import { locationOf, parseSource, visit } from "../lib/parse-source.ts";

const GLOSSARY = "docs/glossary.md";

/** The words in `code` on the left of the table "Retired words", each with what the table gives in its place. */
function readRetiredWords(root: string): ReadonlyMap<string, string> {
  const [, section = ""] = readFileSync(join(root, GLOSSARY), "utf8").split("\n## Retired words\n");
  const words = new Map<string, string>();
  for (const line of section.split("\n")) {
    const [, left = "", right = ""] = line.split("|").map((cell) => cell.trim());
    for (const [, word = ""] of left.matchAll(/`([a-z]+)`/g)) words.set(word, right);
  }
  return words;
}

/** `createTalkRow` and `talk-row` consist of "create", "talk" and "row". */
function wordsOf(name: string): string[] {
  return (name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g) ?? []).map((word) => word.toLowerCase());
}

/** The names that a file exports, with their offsets. */
function exportedNames(root: string, file: string): { name: string; location: string }[] {
  const source = parseSource(root, file);
  const names: { name: string; location: string }[] = [];
  const add = (name: string, start: number): void => {
    names.push({ name, location: locationOf(source, start) });
  };
  visit(source, {
    ExportNamedDeclaration({ declaration, specifiers, start }) {
      for (const { exported } of specifiers) if (exported.type === "Identifier") add(exported.name, start);
      if (declaration === null) return;
      if (declaration.type === "VariableDeclaration") {
        for (const { id } of declaration.declarations) if (id.type === "Identifier") add(id.name, start);
      } else if ("id" in declaration && declaration.id?.type === "Identifier")
        add(declaration.id.name, start);
    },
  });
  return names;
}

/** No file and no export is named with a word that the glossary has retired. */
export const retiredWords: Check = {
  name: "retired words",
  async run(root) {
    const retired = readRetiredWords(root);
    if (retired.size === 0) return [`${GLOSSARY} retires no word`];
    const problems: string[] = [];
    const check = (name: string, location: string): void => {
      for (const word of wordsOf(name)) {
        const instead = retired.get(word);
        if (instead !== undefined)
          problems.push(`${location}: "${name}" contains the retired word "${word}"; use: ${instead}`);
      }
    };
    const folders = new Set<string>();
    for (const file of ["packages", "tools"].flatMap((folder) => filesUnder(`${root}/${folder}`))) {
      const path = relative(root, file).replaceAll("\\", "/");
      for (let folder = dirname(path); folder !== "."; folder = dirname(folder)) folders.add(folder);
      check(basename(path), path);
      if (/\.tsx?$/.test(path))
        for (const { name, location } of exportedNames(root, file)) check(name, location);
    }
    for (const folder of folders) check(basename(folder), folder);
    return problems;
  },
};
