import { readFileSync } from "node:fs";
import { join } from "node:path";
import { VARIABLES } from "@parley/server/config";
import { expect, test } from "vitest";
import { repository } from "./lib/files.ts";

const readme = readFileSync(join(repository, "README.md"), "utf8");

test("the README lists every configuration variable with the server's default and description", () => {
  const rows = readme.matchAll(/^\| `([A-Z_0-9]+)`\s*\| (.*?)\s*\| (.*?)\s*\|$/gm);
  const listed = [...rows].map(([, name, fallback, meaning]) => ({ name, default: fallback, meaning }));
  expect(listed).toEqual(VARIABLES);
});

test("the README names only scripts that exist", () => {
  const { scripts } = JSON.parse(readFileSync(join(repository, "package.json"), "utf8")) as {
    scripts: Record<string, string>;
  };
  for (const [, name = ""] of readme.matchAll(/npm run ([a-z0-9]+)/g))
    expect(Object.keys(scripts)).toContain(name);
});
