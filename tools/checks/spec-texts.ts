import { existsSync, readFileSync } from "node:fs";
import { readCatalogue } from "../lib/catalogue.ts";
import { type Check } from "../lib/check-type.ts";
import { filesUnder } from "../lib/files.ts";
import { titlesOf } from "../lib/test-titles.ts";

const TEXTS = "docs/spec/texts.md";
const PRODUCT = "docs/product.md";
/** The key and the test of a text that no screen shows; its trigger says why. */
const NONE = "none";
const REASONS = /^(?:Comes with |Desktop wrapper|Log only)/;
/** The sections of the product that quote texts. */
const CATALOGUE = /^## (?:5|8)\. [\s\S]*?(?=^## \d|$(?![\s\S]))/gm;
const QUOTED = /(?<![\w])'([A-Za-z][^']{5,}?)'(?!\w)/g;

const ENTRY = /^- \*\*(.+)\*\*\n {2}- key: (.+)\n {2}- trigger: (.+)\n {2}- test: (.+)$/gm;

/** A text that the specification prescribes, as the list has it. */
interface Entry {
  text: string;
  keys: string;
  trigger: string;
  tests: string;
}

function entriesOf(page: string): Entry[] {
  return [...page.matchAll(ENTRY)].map(([, text = "", keys = "", trigger = "", tests = ""]) => ({
    text,
    keys,
    trigger,
    tests,
  }));
}

/** The cells of the tables of a document whose first column is `heading`, without headings and rulers. */
function rowsOf(text: string, heading: string): string[][] {
  const rows: string[][] = [];
  let isInTable = false;
  for (const line of text.split("\n")) {
    if (!line.startsWith("|")) isInTable = false;
    else {
      const cells = line
        .slice(1, line.trimEnd().lastIndexOf("|"))
        .split("|")
        .map((cell) => cell.trim());
      if (cells[0] === heading) isInTable = true;
      else if (isInTable && !/^-+$/.test(cells[0] ?? "")) rows.push(cells);
    }
  }
  return rows;
}

/** The texts in backquotes. */
function codesIn(text: string): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].flatMap(([, code]) => code ?? []);
}

/** A test is named by its file and the beginning of its title: `` `file.spec.ts` the title; `other.test.ts` its title ``. */
function testProblems(root: string, tests: string): string[] {
  return tests.split("; `").flatMap((part) => {
    const [, name = "", title = ""] = /^`?([^`]+)` (.+)$/.exec(part) ?? [];
    const file = `${root}/packages/${name.includes("/") ? name : `e2e/tests/${name}`}`;
    if (name === "" || !existsSync(file))
      return [
        `names the test "${part}", whose file does not exist; mend the name, it is below packages/e2e/tests or packages`,
      ];
    const has =
      titlesOf(root, file).some((test) => test.title.startsWith(title)) ||
      isTitleOfExtendedTest(readFileSync(file, "utf8"), title);
    return has
      ? []
      : [`names the test "${title}", which ${name} does not have; mend the title, or write the test`];
  });
}

/** A file with fixtures of its own calls its test function something like `serverTest`. */
function isTitleOfExtendedTest(source: string, title: string): boolean {
  const quoted = title.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  return new RegExp(`Test\\(\\s*["\`]${quoted}`).test(source);
}

/** A text with a form for each number is compared by its form for many: `{count, plural, other {# friends}}` is "{count} friends". */
function pluralText(text: string): string {
  const [, count = "", many] = /^\{(\w+), plural,.* other \{([^{}]*)\}\}$/.exec(text) ?? [];
  return many === undefined ? text : many.replaceAll("#", `{${count}}`);
}

function textProblems(
  root: string,
  texts: Readonly<Record<string, string>>,
  { text, keys, trigger, tests }: Entry,
): string[] {
  if (keys === NONE) {
    const isExplained = tests === NONE && REASONS.test(trigger);
    return isExplained
      ? []
      : [
          "has no key, but a test, or a trigger that does not say why; begin the trigger with Comes with, Desktop wrapper or Log only",
        ];
  }
  const names = codesIn(keys);
  return [
    ...(names.length === 0 ? ["names no key; write the key of the text in backquotes, or none"] : []),
    ...names
      .filter((key) => pluralText(texts[key] ?? "") !== text)
      .map((key) => `is not the text of ${key}: "${texts[key] ?? ""}"; give the text of the product to both`),
    ...testProblems(root, tests),
  ];
}

/** The texts that the product quotes, up to what is left open at their end. */
function quotedTexts(product: string): string[] {
  const prose = (product.match(CATALOGUE) ?? []).join("\n").replaceAll(/\s+/g, " ");
  return [...prose.matchAll(QUOTED)].map(([, text = ""]) => text.replace(/ (?:\.\.\.|N)$/, ""));
}

/**
 * The list of the texts that the specification prescribes: each has its exact English text in the catalogue and a test that exists, and
 * none that the product quotes is left out.
 */
export const specTexts: Check = {
  name: "spec texts",
  async run(root) {
    if (!existsSync(`${root}/${TEXTS}`))
      return [`${TEXTS} is missing; it lists the texts that ${PRODUCT} prescribes`];
    const page = readFileSync(`${root}/${TEXTS}`, "utf8");
    const entries = entriesOf(page);
    const texts = readCatalogue(root, "en-US");
    const problems = entries.flatMap((entry) =>
      textProblems(root, texts, entry).map((problem) => `${TEXTS} "${entry.text}" ${problem}`),
    );
    const begun = [...page.matchAll(/^- \*\*/gm)].length;
    if (begun !== entries.length)
      problems.push(
        `${TEXTS} has ${begun - entries.length} texts without key, trigger or test; write these three lines below each`,
      );
    for (const quoted of quotedTexts(readFileSync(`${root}/${PRODUCT}`, "utf8"))) {
      if (!entries.some(({ text }) => text.startsWith(quoted)))
        problems.push(
          `${TEXTS} leaves out "${quoted}", which ${PRODUCT} prescribes; add it with key, trigger and test`,
        );
    }
    return [...problems, ...constantProblems(root, rowsOf(page, "Constant"))];
  },
};

const PRODUCT_SOURCE = /packages\/(?:protocol|core|web|server)\/src\/.*\.tsx?$/;
const NOT_PRODUCT = /\.test\.tsx?$|\/testing\/|\/seed\//;

/** Each constant has its value in the file that is named, is defined nowhere else, and is used. */
function constantProblems(root: string, rows: readonly string[][]): string[] {
  const sources = filesUnder(`${root}/packages`)
    .filter((file) => PRODUCT_SOURCE.test(file) && !NOT_PRODUCT.test(file))
    .map((file) => ({ file, text: readFileSync(file, "utf8") }));
  return rows.flatMap(([constant = "", code = "", where = ""]) => {
    const [definition = ""] = codesIn(code);
    if (definition === "")
      return REASONS.test(where)
        ? []
        : [`${TEXTS} ${constant} has no code; name its definition in backquotes`];
    const [path = ""] = codesIn(where);
    const file = `${root}/packages/${path}`;
    const found = existsSync(file) ? readFileSync(file, "utf8").split(definition).length - 1 : 0;
    if (found !== 1)
      return [
        `${TEXTS} ${constant}: ${path} has "${definition}" ${found} times; it has to be there once, as the product prescribes it`,
      ];
    const [, name] =
      /^(?:export )?const (\w+)|^(\w+):/.exec(definition)?.filter((part) => part !== undefined) ?? [];
    // What is no constant of the code, such as a style, stands there alone.
    if (name === undefined) return [];
    const count = (pattern: RegExp) =>
      sources.reduce((sum, { text }) => sum + [...text.matchAll(pattern)].length, 0);
    const definitions = count(new RegExp(`\\bconst ${name}\\b`, "g"));
    // Neither an import, also one of several lines, nor the definition itself.
    const uses = count(
      new RegExp(`^(?!import|.*\\bconst ${name}\\b|\\s*${name}[,:]).*\\b${name}\\b(?!.* from ")`, "gm"),
    );
    return [
      ...(definitions > 1
        ? [`${TEXTS} ${constant}: ${name} is defined ${definitions} times; import it instead`]
        : []),
      ...(uses === 0
        ? [`${TEXTS} ${constant}: ${name} is not used; use it where the product prescribes it`]
        : []),
    ];
  });
}
