import { readFileSync } from "node:fs";
import { EMOTICONS } from "@parley/protocol/emoticons";
import type { Node } from "oxc-parser";
import { fileOfText, readCatalogue, readTextFiles } from "../lib/catalogue.ts";
import { type Check } from "../lib/check-type.ts";
import { filesUnder } from "../lib/files.ts";
import { parseSource, locationOf, visit } from "../lib/parse-source.ts";
import { stringsOf, templatesOf } from "../lib/templates.ts";

const LOCALES = ["zh-CN", "en-US", "zh-TW"] as const;
/** The possible numbers of templates that insert a plain number, by the start of the template. */
const NUMBERS_BY_TEMPLATE: Readonly<Record<string, readonly string[]>> = {
  "emoticon.": EMOTICONS.map((_, number) => String(number)),
};
/** Values that a text leaves out in a language: the specification prescribes this sentence without the name of the group. */
const LEFT_OUT: Readonly<Record<string, string>> = { "en-US error.group.banned": "name" };
/** Functions that take a message id first. */
const TRANSLATORS = new Set(["t", "_"]);

type Catalogue = Record<string, string>;

/** The names of the values that an ICU message inserts, including those in plural and select branches. */
function placeholdersOf(message: string): Set<string> {
  const names = new Set<string>();
  let at = 0;
  const skipText = (): void => {
    while (at < message.length && message[at] !== "}") {
      if (message.startsWith("''", at)) at += 2;
      else if (message[at] === "'" && /[{}]/.test(message[at + 1] ?? "")) {
        const close = message.indexOf("'", at + 2);
        at = close === -1 ? message.length : close + 1;
      } else if (message[at] === "{") readArgument();
      else at++;
    }
  };
  const readArgument = (): void => {
    const head = /^\{\s*([\w.]+)\s*(,\s*(?:plural|select|selectordinal)\s*,)?/.exec(message.slice(at));
    if (head === null) throw new Error(`unreadable message: ${message}`);
    if (head[1] !== undefined) names.add(head[1]);
    at += head[0].length;
    if (head[2] === undefined) at = message.indexOf("}", at);
    else {
      while (at < message.length && message[at] !== "}") {
        if (message[at] === "{") {
          at++;
          skipText();
        }
        at++;
      }
    }
    at++;
  };
  while (at < message.length) {
    skipText();
    at++;
  }
  return names;
}

interface Uses {
  /** Every string literal of the sources. An id among them counts as used. */
  literals: Set<string>;
  /** Ids that are passed to a translator, with their locations. */
  requested: { id: string; where: string }[];
}

function usesUnder(root: string): Uses {
  const uses: Uses = { literals: new Set(), requested: [] };
  const files = ["web", "core", "desktop"].flatMap((name) => filesUnder(`${root}/packages/${name}/src`));
  files.push(...filesUnder(`${root}/packages/web`).filter((file) => file.endsWith("/web-manifest.ts")));
  for (const file of files) {
    if (!/\.tsx?$/.test(file) || /\.test\.tsx?$/.test(file)) continue;
    const source = parseSource(root, file);
    const recordRequest = (node: Node | null | undefined): void => {
      if (node?.type !== "Literal" || typeof node.value !== "string") return;
      uses.requested.push({ id: node.value, where: locationOf(source, node.start) });
    };
    visit(source, {
      Literal({ value }) {
        if (typeof value === "string") uses.literals.add(value);
      },
      CallExpression({ callee, arguments: args }) {
        const called = callee.type === "MemberExpression" ? callee.property : callee;
        if (called.type === "Identifier" && TRANSLATORS.has(called.name)) recordRequest(args[0]);
      },
      JSXOpeningElement({ name, attributes }) {
        if (name.type !== "JSXIdentifier" || name.name !== "Trans") return;
        for (const attribute of attributes) {
          if (attribute.type === "JSXAttribute" && attribute.name.name === "id")
            recordRequest(attribute.value);
        }
      },
    });
  }
  return uses;
}

/**
 * The ids that templates like `theme.${theme}` can produce, by the types of the inserted values. A template that starts like an id and can
 * produce anything is reported, because it would hide unused ids.
 */
function builtIds(root: string, areas: ReadonlySet<string>): { ids: Set<string>; unknown: string[] } {
  const ids = new Set<string>();
  const unknown: string[] = [];
  const files = filesUnder(`${root}/packages/web/src`).filter(
    (file) =>
      /\.tsx?$/.test(file) &&
      !/\.test\.tsx?$/.test(file) &&
      /`[a-z]\w*\.[^`]*\$\{/i.test(readFileSync(file, "utf8")),
  );
  const templatesByFile = templatesOf(root, `${root}/packages/web/tsconfig.app.json`, files);
  for (const [file, templates] of templatesByFile) {
    for (const template of templates) {
      const [start = ""] = template.parts;
      const [area = "", ...rest] = start.split(".");
      if (rest.length === 0 || !areas.has(area)) continue;
      const strings = stringsOf(template, NUMBERS_BY_TEMPLATE[start] ?? null);
      if (strings === null) {
        const where = locationOf(parseSource(root, file), template.offset);
        unknown.push(
          `${where} builds texts \`${template.parts.join("${…}")}\` from values that can be any string; give them a type of the possible strings`,
        );
      } else for (const id of strings) ids.add(id);
    }
  }
  return { ids, unknown };
}

/** All catalogues have the same ids and placeholders, no text is empty, and every id is used and exists. */
export const locales: Check = {
  name: "locale keys",
  async run(root) {
    const problems: string[] = [];
    const catalogues = new Map<string, Catalogue>();
    for (const locale of LOCALES) {
      const files = readTextFiles(root, locale);
      if (files.size === 0)
        return [`${fileOfText(locale, "")} is missing; add it with the keys of the other languages`];
      for (const [file, texts] of files)
        for (const id of Object.keys(texts))
          if (fileOfText(locale, id) !== file)
            problems.push(`${file} has ${id}; move it to ${fileOfText(locale, id)}`);
      catalogues.set(locale, readCatalogue(root, locale));
    }
    const [source] = LOCALES;
    const reference = catalogues.get(source) ?? {};
    for (const [locale, catalogue] of catalogues) {
      for (const id of Object.keys(reference))
        if (!(id in catalogue)) problems.push(`${locale} misses ${id}; add it to ${fileOfText(locale, id)}`);
      for (const [id, message] of Object.entries(catalogue)) {
        const original = reference[id];
        if (original === undefined)
          problems.push(
            `${locale} has ${id}, which ${source} does not have; remove it, or add it to ${fileOfText(source, id)}`,
          );
        if (message.trim() === "")
          problems.push(`${locale} leaves ${id} empty; write it in ${fileOfText(locale, id)}`);
        if (original === undefined || locale === source) continue;
        const leftOut = LEFT_OUT[`${locale} ${id}`];
        const [wanted, given] = [original, message].map((text) =>
          [...placeholdersOf(text)]
            .filter((name) => name !== leftOut)
            .sort()
            .join(", "),
        );
        if (wanted !== given)
          problems.push(
            `${locale} inserts {${given}} in ${id}, ${source} inserts {${wanted}}; mend the text in ${fileOfText(locale, id)}`,
          );
      }
    }
    const uses = usesUnder(root);
    for (const { id, where } of uses.requested)
      if (!(id in reference))
        problems.push(
          `${where} asks for ${id}, which ${source} does not have; mend the key, or add it to ${fileOfText("*", id)}`,
        );
    const built = builtIds(root, new Set(Object.keys(reference).map((id) => id.split(".")[0] ?? "")));
    problems.push(...built.unknown);
    for (const id of Object.keys(reference)) {
      if (!uses.literals.has(id) && !built.ids.has(id))
        problems.push(`nothing uses ${id}; remove it from ${fileOfText("*", id)}`);
    }
    return problems;
  },
};
