import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runInNewContext } from "node:vm";
import { describe, expect, onTestFinished, test } from "vitest";
import { repository } from "./lib/files.ts";
import { run } from "./lib/process.ts";
import { AREAS } from "./mutation/areas.ts";
import { readAcceptedMutants } from "./mutation/mutate-command.ts";
import { findMutants, withSwitches } from "./mutation/mutants.ts";

const changesOf = (text: string) => findMutants("a.ts", text).map(({ change }) => change);

describe("mutants", () => {
  test.each([
    ["a comparison", "f(a < b);", ["f(a < b); → nothing", "a < b → a <= b", "a < b → a >= b"]],
    ["an equality", "const x = a === b;", ["a === b → a !== b"]],
    ["and", "const x = a && b;", ["a && b → (a) || (b)"]],
    ["a default", "const x = a ?? b;", ["a ?? b → a"]],
    ["arithmetic, but no joined texts", 'const x = a + b; const y = a + "b";', ["a + b → a - b"]],
    ["numbers and words of a table", 'const T = { k: "w", n: 5 };', ['"w" → "mutant"', "5 → 6"]],
    ["a condition", "function f() { if (a()) return; }", ["a() → !(a())", "return; → nothing"]],
    ["a returned value", "function f() { return a; }", ["a → undefined"]],
    ["a step of a chain", "const x = list.filter(f);", ["list.filter(f) → list"]],
    ["a throw", "function f() { throw a; }", ["throw a; → nothing"]],
  ])("are made of %s", (_, text, changes) => {
    expect(changesOf(text)).toEqual(changes);
  });

  test.each([
    ["types", "type A = 1 | true; const x: Record<string, 5> = y as 7;"],
    ["code that the compiler has proved unreachable", "function f(a: never) { return a satisfies never; }"],
    ["imports and log calls", 'import a from "b"; deps.log.warn("text");'],
    ["texts for readers", 'const T = { summary: "words" };'],
  ])("are not made of %s", (_, text) => {
    expect(changesOf(text)).toEqual([]);
  });

  test("have their line and the name of the declaration that contains them", () => {
    expect(findMutants("a.ts", "\nexport const LIMIT = 5;\n")[0]).toMatchObject({ line: 2, symbol: "LIMIT" });
  });

  test("are combined in one text, each behind its own switch, also when nested", () => {
    const text = "export function f(a, b) { if (a < b && a !== 0) return 1; else return 2; }";
    const mutants = findMutants("a.js", text).map((mutant, index) => ({ ...mutant, id: index + 1 }));
    const switched = withSwitches("a.js", text, mutants).replace("export ", "");
    const callWith = (change: string, a: number, b: number) => {
      const id = mutants.find((mutant) => mutant.change === change)?.id ?? 0;
      const __mutant = (switchId: number) => switchId === id;
      return runInNewContext(`${switched}; f(${a}, ${b})`, { __mutant }) as unknown;
    };
    expect([callWith("none", 1, 2), callWith("none", 2, 2), callWith("none", 0, 2)]).toEqual([1, 2, 2]);
    expect(callWith("a < b → a <= b", 2, 2)).toBe(1);
    expect(callWith("a < b && a !== 0 → (a < b) || (a !== 0)", 0, 2)).toBe(1);
    expect(callWith("a !== 0 → a === 0", 0, 2)).toBe(1);
    expect(callWith("1 → 2", 1, 2)).toBe(2);
  });
});

describe("the command", () => {
  const files = {
    "package.json": '{ "type": "module" }\n',
    "src/sign.ts": [
      "export const LIMIT = 3;",
      "export function sign(n: number): number {",
      "  while (n > LIMIT) n -= 1;",
      "  if (n < 0) return -1;",
      "  return n;",
      "}",
      "export const unused = (a: boolean): boolean => !a;",
      "",
    ].join("\n"),
    "src/sign.test.ts": [
      'import { expect, test } from "vitest";',
      'import { LIMIT, sign } from "./sign.ts";',
      "test('a sign', () => { expect([sign(-5), sign(2), sign(8)]).toEqual([-1, 2, 3]); });",
      "test('the limit', () => { expect(LIMIT).toBe(3); });",
      "",
    ].join("\n"),
  };

  test("reports unnoticed, unreached and accepted mutants", async () => {
    const root = mkdtempSync(join(tmpdir(), "parley-planted-"));
    onTestFinished(() => rmSync(root, { recursive: true, force: true }));
    mkdirSync(join(root, "src"));
    for (const [path, text] of Object.entries(files)) writeFileSync(join(root, path), text);
    symlinkSync(join(repository, "node_modules"), join(root, "node_modules"));
    const areas = { planted: { source: "src", tests: ["src"] } };
    const accepted = ["n < 0 → n <= 0", "0 → 1"].map((change) => ({
      file: "src/sign.ts",
      change,
      reason: "0 is never passed",
    }));
    const script = `
      import { mutate } from ${JSON.stringify(join(repository, "tools/mutation/mutate-command.ts"))};
      process.exitCode = await mutate(${JSON.stringify(root)}, { filters: [], seed: 1 },
        ${JSON.stringify(areas)}, ${JSON.stringify(accepted)});`;
    const { code, output } = await run(process.execPath, ["--input-type=module", "-e", script]);
    expect(output).toContain("== planted: 11 of 11 mutants");
    expect(output).toContain("survivors of planted:");
    expect(output).toContain("src/sign.ts:7 !a → a (no test reaches it)");
    expect(output).toContain("noticed  src/sign.ts:1 3 → 4");
    expect(output).not.toContain("not yet");
    expect(output).toMatch(/\| planted \| 11 \| 8 \| 2 \| 1 \| 88\.9 % \|/);
    expect(code).toBe(1);
  }, 120_000);

  test("every accepted mutant can still be made", () => {
    const stale = readAcceptedMutants().filter(({ file, change }) => {
      const text = readFileSync(join(repository, file), "utf8");
      return !findMutants(file, text).some((mutant) => mutant.change === change);
    });
    expect(stale).toEqual([]);
  });

  test("knows the areas", () => {
    expect(Object.keys(AREAS)).toEqual(["protocol", "model", "presenters", "modules"]);
  });
});
