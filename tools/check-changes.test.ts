import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { format } from "./checks/format.ts";
import { imports } from "./checks/imports.ts";
import { lint } from "./checks/lint.ts";
import { createTree } from "./guard-rails/planted-tree.ts";
import { findChanges } from "./lib/changed-files.ts";
import { checksFor } from "./lib/check-changes.ts";
import { findRelatedTests, selectTests } from "./lib/related-tests.ts";

test("changes are what is not pushed: commits, edits and new files, but neither removed nor ignored ones", async () => {
  const folder = mkdtempSync(join(tmpdir(), "parley-changes-"));
  const [remote, root] = [join(folder, "remote"), join(folder, "clone")];
  const git = (cwd: string, ...args: string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.org", ...args], { cwd });
  const write = (name: string) => writeFileSync(join(root, name), name);
  mkdirSync(remote);
  git(remote, "init", "-q", "-b", "main");
  writeFileSync(join(remote, ".gitignore"), "ignored\n");
  for (const name of ["same", "edited", "removed"]) writeFileSync(join(remote, name), "");
  git(remote, "add", ".");
  git(remote, "commit", "-qm", "a");
  git(folder, "clone", "-q", remote, root);
  write("committed");
  git(root, "add", ".");
  git(root, "commit", "-qm", "b");
  for (const name of ["edited", "new é", "ignored"]) write(name);
  rmSync(join(root, "removed"));
  expect(await findChanges(root)).toEqual({
    since: "origin/main",
    files: ["committed", "edited", "new é"],
  });
  git(root, "remote", "remove", "origin");
  expect(await findChanges(root)).toEqual({ since: "the last commit", files: ["edited", "new é"] });
  rmSync(join(root, ".git"), { recursive: true });
  expect(await findChanges(root)).toBeUndefined();
  rmSync(folder, { recursive: true });
});

test("checks that can look at the changed files alone, and those that take long do not run", async () => {
  const run = async () => ["whole"];
  const checks = checksFor(
    ["a.ts"],
    [
      { name: "a", run },
      { name: "b", run, runOn: async (_, files) => [...files] },
      { name: "c", run, isLong: true },
    ],
  );
  const found = await Promise.all(checks.map(async (check) => [check.name, await check.run("")]));
  expect(found).toEqual([
    ["a", ["whole"]],
    ["b of changed files", ["a.ts"]],
  ]);
});

describe("a check of some files finds a fault in them and nowhere else:", () => {
  const good = "packages/core/src/model/good.ts";
  const bad = "packages/core/src/model/bad.ts";
  const documents = ["README.md", "a.png"];

  test.each([
    ["lint", lint, "export const now = (): number => Date.now();\n", "Date.now"],
    ["format", format, "export const a   = 1\n", bad],
    ["the import table", imports, 'import "node:fs";\n', "core/model: imports"],
  ])("%s", async (_, check, text, message) => {
    const root = createTree({
      [good]: "export const a = 1;\n",
      [bad]: text,
      "README.md": "# A\n",
      "a.png": "a",
    });
    expect(await check.runOn?.(root, [good, ...documents])).toEqual([]);
    expect(await check.runOn?.(root, documents)).toEqual([]);
    expect((await check.runOn?.(root, [bad, good]))?.join("\n")).toContain(message);
  });
});

describe("the tests of a change", () => {
  const SOURCE = "packages/core/src/chats/outbox.ts";
  const far = "packages/server/src/far.test.ts";
  const importing = "packages/core/src/session/b.test.ts";
  const beside = "packages/core/src/chats/a.test.ts";
  const own = "packages/core/src/chats/outbox.test.ts";
  const long = "packages/reliability/src/faults/c.test.ts";
  const related = [far, long, importing, beside, own];
  const textOf = (path: string) => (path === importing ? 'import "../chats/outbox.ts";' : "");
  const time = (file: string, seconds: number) => ({ file, project: "node", ms: seconds * 1_000 });

  test("run nearest first, without those that take minutes", () => {
    expect(selectTests(related, [SOURCE], [], textOf)).toEqual({
      chosen: [own, beside, importing, far],
      long: [long],
      far: [],
    });
  });

  test("end with the time, but one runs in any case", () => {
    const times = [time(own, 10), time(beside, 55), time(importing, 20)];
    const { chosen, far: leftOut } = selectTests(related, [SOURCE], times, textOf);
    expect([chosen, leftOut]).toEqual([[own, importing, far], [beside]]);
    expect(selectTests([own], [SOURCE], [time(own, 500)], textOf).chosen).toEqual([own]);
  });

  test("are found by what they import, also through other files; those of the documents read them", async () => {
    expect(await findRelatedTests(["tools/lib/test-distance.ts"])).toEqual(
      expect.arrayContaining(["tools/check-changes.test.ts", "tools/mutation.test.ts"]),
    );
    expect(await findRelatedTests(["docs/README.md"])).toEqual(["tools/documents.test.ts"]);
  });
});
