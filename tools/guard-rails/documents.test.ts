// Shows that the checks of documents and of test titles find planted faults.
import { describe, expect, test } from "vitest";
import { references } from "../checks/references.ts";
import { specCoverage } from "../checks/spec-coverage.ts";
import { specTexts } from "../checks/spec-texts.ts";
import { type Files, createTree, judge } from "./planted-tree.ts";

const MODEL = "packages/core/src/model/chat.ts";

describe("spec coverage", () => {
  const RULES = "docs/spec/messages.md";
  const TEST = "packages/core/src/model/chat.test.ts";
  const sound = {
    [RULES]: "# Messages\n\n- **M1** Messages stand by id.\n- **M2** One id appears once.\n",
    [TEST]:
      'test("M1 M2 two of one id", () => {});\ndescribe("M2 merging", () => { test.each([1])("case %i", () => {}); });\n',
  };

  test.each([
    [
      "a rule without a test",
      { [RULES]: `${sound[RULES]}- **M3** Recalled messages stay.\n` },
      "rule M3 has no test",
    ],
    [
      "a test of a rule that does not exist",
      { [TEST]: `${sound[TEST]}it("M9 nothing", () => {});\n` },
      "names rule M9",
    ],
    [
      "a test of the pure model that names no rule",
      { [TEST]: `${sound[TEST]}it("works", () => {});\n` },
      "names no rule",
    ],
    ["a spec without rules", { [RULES]: "# Messages\n" }, "contains no rule"],
    ["a rule written twice", { "docs/spec/more.md": "- **M1** Again.\n" }, "defines rule M1 again"],
  ])("refuses %s", async (_, planted: Files, message) => {
    const { before, after } = await judge(specCoverage, sound, planted);
    expect(before).toEqual([]);
    expect(after).toContain(message);
  });
});

describe("spec texts", () => {
  const TEXTS = "docs/spec/texts.md";
  const LIMITS = "packages/protocol/src/limits.ts";
  const row = (...cells: string[]) => `| ${cells.join(" | ")} |\n`;
  const entry = (text: string, key: string, trigger: string, test: string) =>
    `- **${text}**\n  - key: ${key}\n  - trigger: ${trigger}\n  - test: ${test}\n`;
  const constants = row("Constant", "Code", "Where") + row("---", "---", "---");
  const full = entry("Too many", "`error.group.full`", "a full group", "`sign-in.spec.ts` a wrong name");
  const wrong = entry("Wrong name", "`login.wrong`", "a wrong name", "`sign-in.spec.ts` a wrong name");
  const later = entry("the call ended", "none", "Comes with calls", "none");
  const limit = row("most people", "`export const PEOPLE_MAX = 3`", "`protocol/src/limits.ts`");
  const sound = {
    "docs/product.md":
      "# P\n\n## 5. Rules\n\nA user's name: 'Wrong name'.\n\n## 8. Errors\n\n- 'the call ended'\n\n## 9. More\n\n'not a text'\n",
    "packages/web/src/locales/en-US.json": '{ "login.wrong": "Wrong name" }\n',
    "packages/protocol/src/errors.json": '{ "group.full": { "en": "Too many" } }\n',
    "packages/e2e/tests/sign-in.spec.ts": 'test("a wrong name is refused", () => {});\n',
    [LIMITS]: "export const PEOPLE_MAX = 3;\n",
    "packages/core/src/use.ts": "check(PEOPLE_MAX);\n",
    [TEXTS]: `${wrong}${full}${later}\n${constants}${limit}`,
  };
  const page = (entries: string) => ({ [TEXTS]: `${entries}\n${constants}${limit}` });

  test.each([
    ["a text that is left out", page(wrong), 'leaves out "the call ended"'],
    [
      "another text",
      page(later + wrong.replace("Wrong name", "A wrong name")),
      "is not the text of login.wrong",
    ],
    [
      "another sentence of an error",
      page(later + wrong + full.replace("Too many", "Full")),
      "is not the text of error.group.full",
    ],
    ["a key that does not exist", page(later + wrong.replace("login.wrong", "login.none")), "login.none"],
    [
      "a test that does not exist",
      page(later + wrong.replace("spec.ts` a wrong", "spec.ts` a right")),
      "does not have",
    ],
    [
      "a file that does not exist",
      page(later + wrong.replace("sign-in", "sign-out")),
      "whose file does not exist",
    ],
    [
      "a text without key or reason",
      page(wrong + later.replace("Comes with calls", "Some day")),
      "does not say why",
    ],
    ["a text without a test", page(later + wrong.replace(/ {2}- test.*\n/, "")), "1 texts without key"],
    ["a constant of another value", { [LIMITS]: "export const PEOPLE_MAX = 4;\n" }, "0 times"],
    [
      "a constant that is written twice",
      { "packages/core/src/more.ts": "const PEOPLE_MAX = 3;\n" },
      "defined 2 times",
    ],
    [
      "a constant that nothing uses",
      { "packages/core/src/use.ts": 'import { PEOPLE_MAX } from "./limits.ts";\n' },
      "is not used",
    ],
  ])("refuses %s", async (_, planted: Files, message) => {
    const { before, after } = await judge(specTexts, sound, planted);
    expect(before).toEqual([]);
    expect(after).toContain(message);
  });
});

describe("references", () => {
  const RULES = "docs/spec/messages.md";
  const TEST = "packages/core/src/model/chat.test.ts";
  const CSS = "packages/web/src/ui/button.module.css";
  const sound = {
    "docs/product.md": "# Product\n\n## 1. Words\n\nAs §1.1 and (§4).\n\n### 1.1 More\n\n## 4. States\n",
    "docs/protocol.md": "# Protocol\n\n## 2. Calls\n",
    "docs/interface.md":
      "# Interface\n\n## 3. Type\n\n## 19. Tests\n\n1. Begin.\n2. End.\n\n## 20. Budgets\n\n4. More.\n",
    "docs/decisions/0004-one-line.md": "# One line\n",
    "docs/reliability.md":
      "# Promises\n\n## What is kept\n\n| invariant | shown |\n| --------- | ----- |\n| K1        | yes   |\n\n| key | does |\n| --- | --- |\n| K1 | no |\n",
    [RULES]:
      "# Messages\n\n- **M1** By id (spec §1.1, §4; interface §19.2; decision 4; [K1](../reliability.md#what-is-kept)), `[a](b)`.\n",
    [TEST]:
      '// As protocol §2 and\n// interface §3 say: (M1, `K1`), not "M99xy".\ntest("M1 K1 spec §4", () => "spec §9"); test("M1 a row 8", go);\n',
    [CSS]: "/* Interface §3 */\na { color: red }\n",
  };

  test.each([
    [
      "a section that does not exist",
      MODEL,
      "// a\n/** b\n * (spec §4, §5) */\n",
      `${MODEL}:3 names spec §5`,
    ],
    ["a section in a title", TEST, 'test("spec §2 x", () => {});\n', `${TEST}:1 names spec §2`],
    ["a section in a style", CSS, "a { top: 0 }\n/* protocol §1 */\n", `${CSS}:2 names protocol §1`],
    ["a section of another document", MODEL, "// architecture §4\n", `${MODEL}:1 names architecture §4`],
    ["a section without a document", MODEL, "// The key (§4)\n", `${MODEL}:1 names §4`],
    ["an item that does not exist", MODEL, "// interface §19.4\n", "names interface §19.4"],
    ["a decision that does not exist", MODEL, "// decision 5\n", "names decision 5"],
    ["a rule in a comment that does not exist", MODEL, "// As M2 says\n", `${MODEL}:1 names M2`],
    ["a rule in a title that does not exist", TEST, 'test("M1 K7 x", () => {});\n', `${TEST}:1 names K7`],
    ["a rule in a document that does not exist", "README.md", "# A\n\nSee K3.\n", "README.md:3 names K3"],
    ["an id with two definitions", "docs/z.md", "- **K1** Again.\n", "docs/z.md:1 defines K1 again"],
    [
      "a link to a file that does not exist",
      "README.md",
      "[a](docs/a.md)\n",
      "README.md:1 links to docs/a.md",
    ],
    [
      "a link to a heading that does not exist",
      "README.md",
      "[a](docs/product.md#word)\n",
      "links to docs/product.md#word",
    ],
  ])("refuse %s", async (_, path, text, message) => {
    const { before, after } = await judge(references, sound, { [path]: text });
    expect(before).toEqual([]);
    expect(after).toContain(message);
  });

  test("refuse references to sections of a missing document", async () => {
    const { "docs/protocol.md": _, ...others } = sound;
    const problems = await references.run(createTree(others));
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain("docs/protocol.md is missing; references to its sections: 1");
  });
});
