// Small trees without faults, into which the tests of checks plant one. They contain the repository's own configuration files, so a check
// that is weakened there fails its test.
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, expect } from "vitest";
import type { Check } from "../lib/check-type.ts";
import { repository } from "../lib/files.ts";

/** Files of a tree: their texts by path. */
export type Files = Record<string, string>;

const made: string[] = [];

/** Creates a new tree with the repository's configuration and the given files. */
export function createTree(files: Files): string {
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

/** What is wrong is followed by what to do about it; after the output of a program it is a problem of its own. */
const REMEDY = /; [a-z]|: (?:change|give) /;

function expectRemedies(problems: readonly string[]): void {
  if (problems.at(-1)?.startsWith("To do: ")) return;
  expect(problems.filter((problem) => !REMEDY.test(problem))).toEqual([]);
}

/**
 * Returns the problems that a check finds in a sound tree, and in the same tree with the planted files. Fails if one does not say what to do.
 */
export async function judge(
  check: Check,
  sound: Files,
  planted: Files,
): Promise<{ before: string[]; after: string }> {
  const verdict = verdicts.get(sound) ?? check.run(createTree(sound));
  verdicts.set(sound, verdict);
  const before = await verdict;
  const after = await check.run(createTree({ ...sound, ...planted }));
  expectRemedies(after);
  return { before, after: after.join("\n") };
}
