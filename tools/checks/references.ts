import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { type Check } from "../lib/check-type.ts";
import { filesUnder } from "../lib/files.ts";
import { type Passage, codeOf, documentsOf, placeIn } from "../lib/passages.ts";

/** Documents whose numbered headings may be referred to as `name §N`. */
const SECTIONED = new Map([
  ["spec", "docs/product.md"],
  ["protocol", "docs/protocol.md"],
  ["interface", "docs/interface.md"],
]);
const HEADING = /^#{2,3} (\d+(?:\.\d+)?)\.? /;
/** In section 16 of a document, `16.7` is the line `7. ...`. */
const ITEM = /^(\d+)\. /;
const SECTION = /§(\d+(?:\.\d+)*)/g;
/** Between two sections of one document: `spec §4, §7 and §9`. */
const JOINED = /^(?:,|, and| and| or| to|-)? ?$/;

/**
 * Names of documents without sections of this kind. Any other word before § is just a word, as in "see §N", where a document with sections
 * refers to itself.
 */
const UNNUMBERED = /^(?:architecture|reliability|security|calls|md)$/;

const DECISION = /\bdecisions?[ /](\d+)/gi;

const RULE_LINE = /^- \*\*([A-Z]+\d+[a-z]?)\*\* \S/;
/** A table whose first column has this name defines an id in each row. */
const RULE_TABLE = /^\| invariant +\|/;
const RULE_ROW = /^\| ([A-Z]+\d+[a-z]?) +\|/;

const LINK = /\]\(([^)\s]+)(?: "[^"]*")?\)/g;

/** The sections of a document and the items in them: `16`, `16.7`. */
function sectionsOf(text: string): Set<string> {
  const sections = new Set<string>();
  let current = "";
  for (const line of text.split("\n")) {
    const heading = HEADING.exec(line)?.[1];
    const item = ITEM.exec(line)?.[1];
    current = heading ?? current;
    if (heading !== undefined) sections.add(heading);
    else if (item !== undefined) sections.add(`${current}.${item}`);
  }
  return sections;
}

/** Every `spec §N` names a section, and no other kind of document is referred to by `§`. */
function sectionProblems(root: string, passages: Passage[]): string[] {
  const sections = new Map<string, Set<string>>();
  for (const [name, path] of SECTIONED) {
    if (existsSync(join(root, path))) sections.set(name, sectionsOf(readFileSync(join(root, path), "utf8")));
  }
  const problems: string[] = [];
  const lost = new Map<string, number>();
  const names = new Map([...SECTIONED].map(([name, path]) => [path, name]));
  for (const passage of passages) {
    let name = "";
    let end = 0;
    for (const match of passage.text.matchAll(SECTION)) {
      const [reference, number = ""] = match;
      const between = passage.text.slice(end, match.index).replace(/\s+(?:\* |\/\/ )?\s*/g, " ");
      if (end === 0 || !JOINED.test(between))
        name = (/([A-Za-z]+) ?$/.exec(between)?.[1] ?? "").toLowerCase();
      if (!SECTIONED.has(name) && !UNNUMBERED.test(name)) name = names.get(passage.path) ?? name;
      end = match.index + reference.length;
      const path = SECTIONED.get(name);
      const said = `${placeIn(passage, match.index)} names ${`${name} ${reference}`.trim()}`;
      if (path === undefined)
        problems.push(
          `${said}; only ${[...SECTIONED.keys()].join(", ")} have numbered sections; link to the heading instead`,
        );
      else if (!sections.has(name)) lost.set(path, (lost.get(path) ?? 0) + 1);
      else if (sections.get(name)?.has(number) !== true)
        problems.push(`${said}, which ${path} does not have; mend the number`);
    }
  }
  for (const [path, count] of lost)
    problems.push(
      `${path} is missing; references to its sections: ${count}; mend them, or restore the document`,
    );
  return problems;
}

function decisionProblems(root: string, passages: Passage[]): string[] {
  const home = "docs/decisions";
  const known = new Set(filesUnder(join(root, home)).map((file) => parseInt(basename(file), 10)));
  const problems: string[] = [];
  for (const passage of passages) {
    for (const { 1: number = "", index } of passage.text.matchAll(DECISION)) {
      if (known.has(Number(number))) continue;
      problems.push(
        `${placeIn(passage, index)} names decision ${number}, which ${home} does not have; mend the number`,
      );
    }
  }
  return problems;
}

/** What looks like an id of a family that the documents define is defined there, once. */
function idProblems(documents: Passage[], passages: Passage[]): string[] {
  const problems: string[] = [];
  const defined = new Map<string, string>();
  for (const { path, text } of documents.filter((document) => document.path.startsWith("docs/"))) {
    let isInTable = false;
    for (const [index, line] of text.split("\n").entries()) {
      isInTable = RULE_TABLE.test(line) || (isInTable && line.startsWith("|"));
      const id = (isInTable ? RULE_ROW : RULE_LINE).exec(line)?.[1];
      if (id === undefined) continue;
      const where = `${path}:${index + 1}`;
      const first = defined.get(id);
      if (first !== undefined)
        problems.push(
          `${where} defines ${id} again; it is defined at ${first}: give one of them a new number`,
        );
      defined.set(id, where);
    }
  }
  const families = [...new Set([...defined.keys()].map((id) => id.replace(/\d.*$/, "")))];
  if (families.length === 0) return problems;
  // "Shift F10" names a key.
  const like = new RegExp(`(?<![\\w#%]|Shift[ +])(?:${families.join("|")})\\d{1,3}[a-z]?(?!\\w)`, "g");
  for (const passage of passages) {
    for (const { 0: id, index } of passage.text.matchAll(like)) {
      if (defined.has(id)) continue;
      problems.push(
        `${placeIn(passage, index)} names ${id}, which no document defines; mend the id, or write the rule`,
      );
    }
  }
  return problems;
}

/** The name that a heading has in links. */
function anchorOf(heading: string): string {
  const words = heading.replace(/^#+ /, "").trim().toLowerCase();
  return words.replace(/[^\p{L}\p{N}\s_-]/gu, "").replace(/\s/g, "-");
}

function isThere(target: string, anchor: string | undefined): boolean {
  if (!existsSync(target)) return false;
  if (anchor === undefined) return true;
  const headings = readFileSync(target, "utf8").match(/^#+ .*$/gm) ?? [];
  return headings.some((heading) => anchorOf(heading) === anchor);
}

function linkProblems(root: string, documents: Passage[]): string[] {
  const problems: string[] = [];
  for (const document of documents) {
    // What stands in code is blanked, so that lines stay where they are.
    const text = document.text.replace(/^```[^]*?^```|`[^`\n]*`/gm, (code) => code.replace(/[^\n]/g, " "));
    for (const { 1: link = "", index } of text.matchAll(LINK)) {
      if (/^[a-z]+:/i.test(link)) continue;
      const [path = "", anchor] = decodeURI(link).split("#");
      const target = path === "" ? document.path : join(dirname(document.path), path);
      if (isThere(join(root, target), anchor)) continue;
      problems.push(
        `${placeIn(document, index)} links to ${link}, which is not there; mend the path or the heading`,
      );
    }
  }
  return problems;
}

/** What comments, test titles and documents refer to is in the repository: sections, decisions, rule ids and linked files. */
export const references: Check = {
  name: "references",
  async run(root) {
    const documents = documentsOf(root);
    const passages = [...documents, ...codeOf(root)];
    return [
      ...sectionProblems(root, passages),
      ...decisionProblems(root, passages),
      ...idProblems(documents, passages),
      ...linkProblems(root, documents),
    ];
  },
};
