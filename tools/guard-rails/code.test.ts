// Shows that the checks of code find planted faults.
import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { clock } from "../checks/clock.ts";
import { format } from "../checks/format.ts";
import { imports } from "../checks/imports.ts";
import { lint } from "../checks/lint.ts";
import { lock } from "../checks/lock.ts";
import { types } from "../checks/types.ts";
import { testOnlyProblems } from "../checks/unused.ts";
import { repository } from "../lib/files.ts";
import { type Files, createTree, judge } from "./planted-tree.ts";

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
  const LINE = "packages/web/src/features/chat/message/line.tsx";
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
    [LINE]: "export const line = 1;\n",
    "packages/web/src/features/chat/timeline/view.tsx":
      'import { line } from "../message/line.tsx";\nexport const view = line;\n',
    "packages/server/src/modules/users/users.ts": "export const users = 1;\n",
    "packages/server/src/api/api-error.ts": "export class ApiError extends Error {}\n",
    "packages/server/src/adapters/store/open-store.ts": "export const open = 1;\n",
    "packages/server/src/doctor/doctor.ts": "export const findings = 1;\n",
    "packages/server/src/runtime/app.ts": "export const app = 1;\n",
    "packages/server/src/cli/admin.ts": "export const admin = 1;\n",
    "packages/server/src/main.ts": "export {};\n",
    "packages/reliability/package.json": JSON.stringify({
      name: "@parley/reliability",
      exports: { "./*": "./src/*.ts" },
    }),
    "packages/reliability/src/batteries.ts":
      'import { OK } from "@parley/protocol/codes";\nexport const run = OK;\n',
  };
  /** Creates a tree with links to workspaces and packages in node_modules, as npm creates them. */
  const linked = (files: Files): string => {
    const root = createTree(files);
    mkdirSync(join(root, "node_modules/@parley"), { recursive: true });
    for (const name of ["protocol", "reliability"])
      symlinkSync(join(root, "packages", name), join(root, "node_modules/@parley", name));
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
      "a higher folder of the chat feature",
      LINE,
      'import "../timeline/view.tsx";\n',
      "chat/message: imports",
    ],
    ["the top of the chat feature", LINE, 'import "../chat.tsx";\n', "chat/message: imports"],
    [
      "a folder of the chat feature without a row",
      "packages/web/src/features/chat/calls/call.tsx",
      'import "../chat.tsx";\n',
      "chat: every folder has a row",
    ],
    [
      "another module",
      "packages/server/src/modules/chats/chats.ts",
      'import "../users/users.ts";\n',
      "server/modules: imports",
    ],
    [
      "an adapter that throws an error of the protocol",
      "packages/server/src/adapters/store/open-store.ts",
      'import { ApiError } from "../../api/api-error.ts";\nexport const open = () => { throw new ApiError(); };\n',
      "server/adapters: imports",
    ],
    [
      "a port that speaks of calls",
      "packages/server/src/ports/store.ts",
      'import type { ApiError } from "../api/api-error.ts";\nexport type Failed = ApiError;\n',
      "server/ports: imports",
    ],
    [
      "a module that uses the server it is a part of",
      "packages/server/src/modules/users/users.ts",
      'import "../../runtime/app.ts";\nexport const users = 1;\n',
      "server/modules: imports",
    ],
    [
      "a doctor that needs a running server",
      "packages/server/src/doctor/doctor.ts",
      'import "../runtime/app.ts";\nexport const findings = 1;\n',
      "server/doctor: imports",
    ],
    [
      "a server that uses its commands",
      "packages/server/src/runtime/app.ts",
      'import "../cli/admin.ts";\nexport const app = 1;\n',
      "server/runtime: imports",
    ],
    [
      "the product with the tests of its reliability",
      "packages/server/src/main.ts",
      'import { run } from "@parley/reliability/batteries";\nrun;\n',
      "server/runtime: imports",
    ],
    [
      "helpers of the server's tests with the tests of its reliability",
      "packages/server/src/testing/test-app.ts",
      'import { run } from "@parley/reliability/batteries";\nrun;\n',
      "server/testing: imports",
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
    expect(after).toHaveLength(1);
    expect(after[0]).toMatch(/^packages\/core\/src\/helpers\/x\.ts is in no zone of the table; /);
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
    expect(await testOnlyProblems(createTree(sound))).toEqual([]);
    const after = await testOnlyProblems(
      createTree({ ...sound, ...planted, "packages/core/src/model/more.test.ts": use }),
    );
    expect(after.join("\n")).toContain(name);
  });
});

test.each([
  ["of the repository", "package-lock.json"],
  ["of the packaging", "packages/desktop/packaging/package-lock.json"],
])("the lock file %s must be complete and must not contain a download address", async (_, file) => {
  const packages = { "node_modules/a": { optionalDependencies: { b: "1" } }, "node_modules/b": {} };
  const sound = { [file]: JSON.stringify({ packages }) };
  const planted = {
    [file]: JSON.stringify({
      packages: { "node_modules/a": { ...packages["node_modules/a"], resolved: "somewhere" } },
    }),
  };
  const { before, after } = await judge(lock, sound, planted);
  expect(before).toEqual([]);
  expect(after).toContain("node_modules/a carries a download address");
  expect(after).toContain("node_modules/a needs b");
});
