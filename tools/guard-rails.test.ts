// Shows that each check fails for a fault that is planted in a small tree without other faults. The trees contain the repository's own
// configuration files, so a check that is weakened there fails here.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { clock } from "./checks/clock.ts";
import { colours } from "./checks/colours.ts";
import { exactEmpty } from "./checks/exact-empty.ts";
import { format } from "./checks/format.ts";
import { imports } from "./checks/imports.ts";
import { lint } from "./checks/lint.ts";
import { locales } from "./checks/locales.ts";
import { lock } from "./checks/lock.ts";
import { quarantineProblems } from "./checks/quarantine.ts";
import { references } from "./checks/references.ts";
import { retiredWords } from "./checks/retired-words.ts";
import { sizeProblems } from "./checks/size.ts";
import { specCoverage } from "./checks/spec-coverage.ts";
import { types } from "./checks/types.ts";
import { testOnlyProblems } from "./checks/unused.ts";
import { wording } from "./checks/wording.ts";
import type { Check } from "./lib/check-type.ts";
import { repository } from "./lib/files.ts";

type Files = Record<string, string>;

const made: string[] = [];

/** Creates a new tree with the repository's configuration and the given files. */
function tree(files: Files): string {
  const root = mkdtempSync(join(tmpdir(), "parley-rails-"));
  made.push(root);
  for (const name of [".dependency-cruiser.mjs", ".oxfmtrc.json", ".oxlintrc.json", "tsconfig.base.json"]) {
    cpSync(join(repository, name), join(root, name));
  }
  const all = { "package.json": '{\n  "type": "module"\n}\n', ...files };
  for (const [path, text] of Object.entries(all)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

afterAll(() => {
  for (const root of made) rmSync(root, { recursive: true, force: true });
});

/** The problems that a check finds in the sound trees, which the cases of a check share. */
const verdicts = new WeakMap<Files, Promise<string[]>>();

/** Returns the problems that a check finds in a sound tree, and in the same tree with the planted files. */
async function judge(
  check: Check,
  sound: Files,
  planted: Files,
): Promise<{ before: string[]; after: string }> {
  const verdict = verdicts.get(sound) ?? check.run(tree(sound));
  verdicts.set(sound, verdict);
  const before = await verdict;
  const after = await check.run(tree({ ...sound, ...planted }));
  return { before, after: after.join("\n") };
}

const MODEL = "packages/core/src/model/chat.ts";

describe("types", () => {
  const project = (name: string): Files => ({
    "tsconfig.json": JSON.stringify({
      files: [],
      references: [{ path: `packages/core/tsconfig.${name}.json` }],
    }),
    [`packages/core/tsconfig.${name}.json`]: JSON.stringify({
      extends: join(repository, `packages/core/tsconfig.${name}.json`),
      // The real configuration writes its output into the real repository.
      compilerOptions: { rootDir: ".", outDir: "out", tsBuildInfoFile: "out/info" },
      include: [`src/${name}`],
      references: [],
    }),
  });
  const sound = {
    ...project("model"),
    [MODEL]: "export const first = (names: string[]): string => names[0] ?? '';\n",
  };

  test.each([
    ["a wrong type", "export const count: number = 'one';\n", "TS2322"],
    ["an element that may be missing", "export const f = (n: string[]): string => n[0];\n", "TS2322"],
    ["a timer in the pure model", "setTimeout(() => {}, 1);\nexport {};\n", "TS2"],
    ["an enum, which Node cannot strip", "export enum Kind { Text }\n", "TS1294"],
    ["an implicit any", "export const f = (x) => x;\n", "TS7006"],
  ])("refuse %s", async (_, text, message) => {
    const { before, after } = await judge(types, sound, { [MODEL]: text });
    expect(before).toEqual([]);
    expect(after).toContain(message);
  });
});

describe("lint", () => {
  const sound = {
    [MODEL]: "export const a = (): number => 1;\n",
    "packages/core/src/model/other.ts":
      'import { a } from "./chat.ts";\nexport const b = (): number => new Date(a()).getTime();\n',
  };

  test.each([
    ["the clock in the pure model", MODEL, "export const now = (): number => Date.now();\n", "Date.now"],
    [
      "a random number in the pure model",
      MODEL,
      "export const dice = (): number => Math.random();\n",
      "Math.random",
    ],
    [
      "any",
      "packages/server/src/main.ts",
      "export const f = (x: any): string => String(x);\n",
      "no-explicit-any",
    ],
    [
      "an import cycle",
      MODEL,
      'import { b } from "./other.ts";\nexport const a = (): number => b();\n',
      "Dependency cycle",
    ],
    ["a default export", "packages/server/src/main.ts", "export default 1;\n", "no-default-export"],
  ])("refuses %s", async (_, path, text, message) => {
    const { before, after } = await judge(lint, sound, { [path]: text });
    expect(before).toEqual([]);
    expect(after).toContain(message);
  });

  test("refuses new Date() in the core, which the linter cannot see", async () => {
    const { before, after } = await judge(
      clock,
      { ...sound },
      { [MODEL]: "export const now = new Date();\n" },
    );
    expect(before).toEqual([]);
    expect(after).toContain(`${MODEL}:1`);
  });
});

test("format refuses a file that the formatter would change", async () => {
  const sound = { [MODEL]: "export const a = 1;\n" };
  const { before, after } = await judge(format, sound, { [MODEL]: "export const a   = 1\n" });
  expect(before).toEqual([]);
  expect(after).toContain(MODEL);
});

describe("the import table", () => {
  const CODES = "packages/protocol/src/codes.ts";
  const sound = {
    "tools/run.mjs": "export {};\n",
    "packages/protocol/package.json": JSON.stringify({
      name: "@parley/protocol",
      exports: { "./*": "./src/*.ts" },
    }),
    [CODES]: "export const OK = 200;\n",
    [MODEL]: 'import { OK } from "@parley/protocol/codes";\nexport const code = OK;\n',
    "packages/core/src/state-store.ts": 'export { code } from "./model/chat.ts";\n',
    "packages/web/src/features/login/login.tsx": "export const login = 1;\n",
    "packages/web/src/features/chat/chat.tsx": "export const chat = 1;\n",
    "packages/server/src/modules/users/users.ts": "export const users = 1;\n",
  };
  /** Creates a tree with links to workspaces and packages in node_modules, as npm creates them. */
  const linked = (files: Files): string => {
    const root = tree(files);
    mkdirSync(join(root, "node_modules/@parley"), { recursive: true });
    symlinkSync(join(root, "packages/protocol"), join(root, "node_modules/@parley/protocol"));
    for (const name of ["zustand", "zod"])
      symlinkSync(join(repository, "node_modules", name), join(root, "node_modules", name));
    return root;
  };
  let before: string[];
  beforeAll(async () => {
    before = await imports.run(linked(sound));
  });

  test.each([
    ["an import of a higher layer", MODEL, 'import "../state-store.ts";\n', "core/model: imports"],
    [
      "a type of a higher layer",
      MODEL,
      'import type { code } from "../state-store.ts";\nexport type C = typeof code;\n',
      "core/model: imports",
    ],
    [
      "a dynamic import of a higher layer",
      MODEL,
      'export const f = () => import("../state-store.ts");\n',
      "core/model: imports",
    ],
    [
      "a package",
      MODEL,
      'import { createStore } from "zustand/vanilla";\ncreateStore;\n',
      "core/model: imports",
    ],
    ["a module of Node", MODEL, 'import "node:fs";\n', "core/model: imports"],
    [
      "another feature",
      "packages/web/src/features/chat/chat.tsx",
      'import "../login/login.tsx";\n',
      "web/features: imports",
    ],
    [
      "another module",
      "packages/server/src/modules/chats/chats.ts",
      'import "../users/users.ts";\n',
      "server/modules: imports",
    ],
    ["a package that the protocol does not need", CODES, 'import "zustand/vanilla";\n', "protocol: imports"],
    ["a file that does not exist", CODES, 'import "./nothing.ts";\n', "every import resolves"],
    ["a test", CODES, 'import "./codes.test.ts";\n', "nothing imports a test"],
  ])("refuses %s", async (_, path, text, message) => {
    const after = await imports.run(
      linked({ ...sound, "packages/protocol/src/codes.test.ts": "export {};\n", [path]: text }),
    );
    expect(before).toEqual([]);
    expect(after.join("\n")).toContain(message);
  });

  test("refuses a file in no zone", async () => {
    const after = await imports.run(linked({ ...sound, "packages/core/src/helpers/x.ts": "export {};\n" }));
    expect(after).toEqual(["packages/core/src/helpers/x.ts is in no zone of the table"]);
  });
});

describe("unused code", () => {
  const sound = {
    // Vitest is what makes a file a test.
    "package.json": JSON.stringify({
      name: "tree",
      type: "module",
      workspaces: ["packages/*"],
      devDependencies: { vitest: "1.0.0" },
    }),
    "knip.config.ts": readFileSync(join(repository, "knip.config.ts"), "utf8"),
    "packages/core/package.json": JSON.stringify({
      name: "@parley/core",
      type: "module",
      exports: { "./*": "./src/*.ts" },
    }),
    "packages/core/src/client.ts": 'import { first } from "./model/chat.ts";\nfirst();\n',
    "packages/core/src/testing/builders.ts": "export const builder = 1;\n",
    [MODEL]: "export const first = (): number => second();\nexport const second = (): number => 2;\n",
    "packages/core/src/model/chat.test.ts":
      'import { builder } from "../testing/builders.ts";\nimport { first, second } from "./chat.ts";\nfirst(), second(), builder;\n',
  };

  test.each([
    ["an export", { [MODEL]: `${sound[MODEL]}export const third = (): number => 3;\n` }, "third"],
    ["a file", { "packages/core/src/model/other.ts": "export const other = 1;\n" }, "other"],
  ])("refuses %s that only a test uses", async (_, planted: Files, name) => {
    const use = `import { ${name} } from "./${name === "other" ? "other" : "chat"}.ts";\n${name};\n`;
    expect(await testOnlyProblems(tree(sound))).toEqual([]);
    const after = await testOnlyProblems(
      tree({ ...sound, ...planted, "packages/core/src/model/more.test.ts": use }),
    );
    expect(after.join("\n")).toContain(name);
  });
});

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

describe("references", () => {
  const RULES = "docs/spec/messages.md";
  const TEST = "packages/core/src/model/chat.test.ts";
  const CSS = "packages/web/src/ui/button.module.css";
  const sound = {
    "docs/product.md": "# Product\n\n## 1. Words\n\nAs §1.1 and (§4).\n\n### 1.1 More\n\n## 4. States\n",
    "docs/protocol.md": "# Protocol\n\n## 2. Calls\n",
    "docs/interface.md":
      "# Interface\n\n## 3. Type\n\n## 19. Tests\n\n| # | what |\n| - | ---- |\n| 2 | end |\n\n## 20. Budgets\n\n| 4 | a |\n",
    "docs/decisions/0004-one-line.md": "# One line\n",
    "docs/reliability.md":
      "# Promises\n\n## What is kept\n\n| fault | shown |\n| ----- | ----- |\n| K1    | yes   |\n\n| key | does |\n| --- | --- |\n| K1 | no |\n",
    [RULES]:
      "# Messages\n\n- **M1** By id (spec §1.1, §4; interface §19.2; decision 4; [K1](../reliability.md#what-is-kept)), `[a](b)`.\n",
    [TEST]:
      '// As protocol §2 and\n// interface §3 say: (M1, `K1`), not "M99xy".\ntest("M1 K1 spec §4", () => "spec §9"); test("M1 row 2: a row 8", go);\n',
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
    ["a row that does not exist", TEST, 'test("row 4: x", go);\n', `${TEST}:1 names row 4`],
    ["a row in a document that does not exist", "README.md", "See interface §19 row 3.\n", "names row 3"],
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
    const problems = await references.run(tree(others));
    expect(problems).toEqual(["docs/protocol.md is missing; references to its sections: 1"]);
  });
});

describe("empty objects in loose matches", () => {
  const TEST = "packages/core/src/model/chat.test.ts";
  const sound = {
    [TEST]:
      "expect(a).toMatchObject({ b: [], c: expect.objectContaining({}) });\nexpect(a).toEqual({ b: {} });\n",
  };

  test.each([
    ["the whole value", "expect(a).toMatchObject({});\n"],
    ["a property", "expect(a).toMatchObject({ b: 1, members: {} });\n"],
    ["an array element", "await expect(a).resolves.toMatchObject([{ b: 1 }, {}]);\n"],
  ])("refuses one that is %s", async (_, text) => {
    const { before, after } = await judge(exactEmpty, sound, { [TEST]: text });
    expect(before).toEqual([]);
    expect(after).toContain(`${TEST}:1 matches any object`);
  });
});

describe("retired words", () => {
  const sound = {
    "docs/glossary.md":
      "# Glossary\n\n## Retired words\n\n| retired | now |\n| --- | --- |\n| `desk`, line | chat store |\n",
    "packages/core/src/chats/chat-line.ts": "const desk = 1;\nexport const chatStore = desk;\n",
  };

  test.each([
    ["a file name", { "packages/core/src/chat-desk.ts": "" }, 'chat-desk.ts: "chat-desk.ts" contains'],
    ["a folder name", { "tools/desk/x.ts": "" }, 'tools/desk: "desk" contains'],
    ["an exported constant", { "tools/x.ts": "\nexport const oneDesk = 1;" }, 'tools/x.ts:2: "oneDesk"'],
    ["an exported function", { "tools/x.ts": "export function openDesk() {}" }, '"openDesk" contains'],
    ["an exported type", { "tools/x.ts": "export type DeskState = 1;" }, 'the retired word "desk"'],
    ["an exported interface", { "tools/x.ts": "export interface Desk {}" }, "use: chat store"],
    ["a name of an export list", { "tools/x.ts": "const a = 1;\nexport { a as desk };" }, '"desk" contains'],
    ["a glossary that retires no word", { "docs/glossary.md": "# Glossary\n" }, "retires no word"],
  ])("refuse %s", async (_, planted, message) => {
    expect(await retiredWords.run(tree(sound))).toEqual([]);
    expect((await retiredWords.run(tree({ ...sound, ...planted }))).join("\n")).toContain(message);
  });
});

describe("the quarantine of browser tests", () => {
  const root = tree({ "packages/e2e/tests/a.spec.ts": 'test("S1 slow", async () => {});\n' });
  const entry = { file: "a.spec.ts", title: "S1 slow", reason: "waits for a timer of the browser" };

  test.each([
    ["a title that does not exist", { title: "S1 swift" }, 'names "S1 swift"'],
    ["a file that does not exist", { file: "b.spec.ts" }, "b.spec.ts does not have"],
    ["no reason", { reason: " " }, "gives no reason"],
  ])("refuses %s", (_, planted, message) => {
    expect(quarantineProblems(root, [entry])).toEqual([]);
    expect(quarantineProblems(root, [{ ...entry, ...planted }]).join("\n")).toContain(message);
  });
});

describe("locale keys", () => {
  const at = (locale: string): string => `packages/web/src/locales/${locale}.json`;
  const catalogue = (title: string, unread: string, kind = "x"): string =>
    JSON.stringify({ "login.title": title, "chat.unread": unread, "kind.text": kind });
  const unread = "{count, plural, one {# message for {name}} other {# messages for {name}}}";
  const USE = "packages/web/src/app/main.tsx";
  const KIND = 'declare const kind: "text";\n';
  const sound = {
    [at("zh-CN")]: catalogue("登录", "{name}：{count} 条"),
    [at("en-US")]: catalogue("Log in", unread),
    [at("zh-TW")]: catalogue("登入", "{name}：{count} 則"),
    "packages/web/tsconfig.app.json": '{ "include": ["src"] }',
    [USE]: `${KIND}t("login.title"); t("chat.unread", { count, name }); t(\`kind.\${kind}\`);\n`,
  };

  test.each([
    [
      "a missing key",
      { [at("zh-TW")]: '{"login.title":"登入","kind.text":"x"}' },
      "zh-TW misses chat.unread",
    ],
    ["an empty text", { [at("en-US")]: catalogue(" ", unread) }, "en-US leaves login.title empty"],
    [
      "an extra key",
      { [at("en-US")]: `{"a.b":"c",${catalogue("Log in", unread).slice(1)}` },
      "en-US has a.b",
    ],
    ["a missing placeholder", { [at("zh-TW")]: catalogue("登入", "{count} 則") }, "zh-TW inserts {count}"],
    ["a key that no catalogue has", { [USE]: `${sound[USE]}t("login.tilte");\n` }, "asks for login.tilte"],
    [
      "a key that nothing uses",
      { [USE]: `${KIND}t("login.title"); t(\`kind.\${kind}\`);\n` },
      "nothing uses chat.unread",
    ],
    [
      "a key that no value of a template produces",
      { [USE]: sound[USE].replace('"text"', '"image" | "video"') },
      "nothing uses kind.text",
    ],
    [
      "a template that inserts any string",
      { [USE]: sound[USE].replace('"text"', "string") },
      `${USE}:2 builds texts \`kind.\${…}\``,
    ],
  ])("refuse %s", async (_, planted: Files, message) => {
    const { before, after } = await judge(locales, sound, planted);
    expect(before).toEqual([]);
    expect(after).toContain(message);
  });
});

describe("wording", () => {
  const at = (locale: string): string => `packages/web/src/locales/${locale}.json`;
  const one = (text: string, key = "a.b"): string => JSON.stringify({ [key]: text });
  const WORDS = "packages/server/src/http/error-messages.ts";
  const server = (tw: string, en: string): string =>
    `export const WORDS = { "a.b": { "zh-CN": "您", "zh-TW": "${tw}", en: "${en}" } };\n`;
  const sound = {
    [at("zh-CN")]: one("你在“{name}”群聊里"),
    [at("zh-TW")]: one("「{name}」收回了一則訊息"),
    [at("en-US")]: one("Enter your username…"),
    [WORDS]: server("群組不存在", "There is no such group"),
  };

  test.each([
    ["a mainland word in zh-TW", at("zh-TW"), one("發送消息"), "zh-TW says 消息 in a.b; ours is 訊息"],
    ["a word that we do not use", at("zh-TW"), one("撤回訊息"), "zh-TW says 撤回 in a.b; ours is 收回"],
    ["an abbreviated word", at("zh-TW"), one("群公告"), "zh-TW says 群 in a.b; ours is 群組"],
    ["another language's quotes", at("zh-TW"), one("“{name}”"), "zh-TW says “ in a.b; ours is 「」"],
    [
      "a simplified character",
      at("zh-TW"),
      one("联絡人"),
      "zh-TW says 联 in a.b, which is not used in Taiwan",
    ],
    ["a formal form of address", at("zh-CN"), one("您已退出"), "zh-CN says 您 in a.b; ours is 你"],
    ["two words for one thing", at("zh-CN"), one("加入群组"), "zh-CN says 群组 in a.b; ours is 群聊"],
    ["a small first letter", at("en-US"), one("you left"), "en-US says y in a.b; ours is a capital first"],
    ["three dots", at("en-US"), one("Wait..."), "en-US says ... in a.b; ours is …"],
    [
      "a wrong Chinese word of the server",
      WORDS,
      server("群聊不存在", "None"),
      `${WORDS}, zh-TW, says 群聊 in a.b`,
    ],
    [
      "a wrong English word of the server",
      WORDS,
      server("無", "Wrong user name"),
      `${WORDS}, en, says user name in a.b`,
    ],
  ])("refuse %s", async (_, file, text, message) => {
    const { before, after } = await judge(wording, sound, { [file]: text });
    expect(before).toEqual([]);
    expect(after).toContain(message);
  });

  test("accept texts that the specification prescribes", async () => {
    const quoted = { [at("en-US")]: one("internal server error"), [at("zh-CN")]: one("您没有权限") };
    const parts = { [at("en-US")]: one("you", "names.you") };
    expect((await judge(wording, sound, quoted)).after).toBe("");
    expect((await judge(wording, sound, parts)).after).toBe("");
  });
});

describe("colours", () => {
  const CSS = "packages/web/src/ui/button.module.css";
  const TSX = "packages/web/src/ui/button.tsx";
  const sound = {
    "packages/web/src/ui/tokens.css": ":root { --red: #f00; --text: rgb(0 0 0 / 80%); }\n",
    [CSS]:
      "/* not #fff */\n#add:hover { color: var(--red); background: color-mix(in srgb, var(--text) 8%, transparent); }\n",
    [TSX]: 'export const Button = () => <a href="#top" className="red" color="currentColor" />;\n',
  };

  test.each([
    ["a hex colour", { [CSS]: "a { color: #ff8800; }\n" }, `${CSS}:1 writes the colour #ff8800`],
    ["a colour function", { [CSS]: "a {\n  color: rgb(1 2 3);\n}\n" }, `${CSS}:2 writes the colour rgb(`],
    ["a named colour", { [CSS]: "a { border: 1px solid tomato }\n" }, "writes the colour tomato"],
    [
      "a hex colour in a component",
      { [TSX]: 'export const a = <p style={{ top: "#fff" }} />;\n' },
      "the colour #fff",
    ],
    ["a named colour in a component", { [TSX]: 'export const a = <path fill="red" />;\n' }, "the colour red"],
  ])("refuse %s outside the tokens", async (_, planted: Files, message) => {
    const { before, after } = await judge(colours, sound, planted);
    expect(before).toEqual([]);
    expect(after).toContain(message);
  });
});

describe("the size budget", () => {
  /** Text that can hardly be compressed. */
  const bulk = (bytes: number): string => {
    let state = 1;
    return Array.from({ length: bytes }, () => {
      state = (state * 48_271) % 2_147_483_647;
      return String.fromCharCode(33 + (state % 90));
    }).join("");
  };
  const built = (
    bytes: Partial<Record<"entry" | "theme" | "chat" | "other" | "zh" | "en", number>>,
    styles = 0,
  ): string => {
    const css = Array.from({ length: styles }, (_, index) => `s${index}.css`);
    const manifest = {
      "index.html": { file: "entry.js", isEntry: true },
      "src/app/shell-chunk.ts": { file: "chat.js", css, imports: ["_shared.js"] },
      "_shared.js": { file: "shared.js", imports: ["_base.js"] },
      "_base.js": { file: "base.js" },
      "src/locales/zh-CN.json?first?lingui": { file: "zh.js" },
      "src/locales/en-US.json?first?lingui": { file: "en.js" },
      "src/locales/en-US.json?shell?lingui": { file: "en-shell.js" },
    };
    const files: Files = {
      ".vite/manifest.json": JSON.stringify(manifest),
      "index.html": '<script src="/theme.js"></script><script type="module" src="/entry.js"></script>',
      "theme.js": "x",
    };
    for (const { file } of Object.values(manifest)) files[file] = "x";
    for (const name of css) files[name] = "x";
    for (const [name, count] of Object.entries(bytes)) files[`${name}.js`] = bulk(count);
    return tree(files);
  };

  test("counts the texts of the largest language only", () => {
    const texts = { other: 340_000, zh: 60_000 };
    expect(sizeProblems(built({ ...texts, en: 60_000 })).join("\n")).not.toContain("all scripts");
    expect(sizeProblems(built({ ...texts, en: 260_000 })).join("\n")).toContain("all scripts");
  });

  test.each([
    ["login screen", { entry: 170_000 }, 0],
    ["login screen", { theme: 170_000 }, 0],
    ["first chat screen", { chat: 320_000 }, 0],
    ["all scripts", { other: 620_000 }, 0],
    ["files for the first chat screen", {}, 10],
  ])("refuses too much: %s", (what, bytes, styles) => {
    expect(sizeProblems(built({ entry: 70_000, chat: 20_000 }, 3))).toEqual([]);
    expect(sizeProblems(built(bytes, styles)).join("\n")).toContain(`${what}: `);
  });

  test("refuses a build whose screens it cannot find", () => {
    expect(sizeProblems(tree({ ".vite/manifest.json": "{}", "index.html": "" })).join("\n")).toContain(
      "cannot be measured",
    );
    expect(sizeProblems(tree({})).join("\n")).toContain("was not built");
  });
});

test("the lock file must be complete and must not contain a download address", async () => {
  const packages = { "node_modules/a": { optionalDependencies: { b: "1" } }, "node_modules/b": {} };
  const sound = { "package-lock.json": JSON.stringify({ packages }) };
  const planted = {
    "package-lock.json": JSON.stringify({
      packages: { "node_modules/a": { ...packages["node_modules/a"], resolved: "somewhere" } },
    }),
  };
  const { before, after } = await judge(lock, sound, planted);
  expect(before).toEqual([]);
  expect(after).toContain("node_modules/a carries a download address");
  expect(after).toContain("node_modules/a needs b");
});
