import { existsSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { VARIABLES } from "@parley/server/config/config";
import { expect, test } from "vitest";
import { repository } from "./lib/files.ts";
import { documentsOf } from "./lib/passages.ts";

/** A longer line is a table nobody can read in a terminal, or a paragraph of which a change shows nothing. */
const LINE_MAX = 300;
/** Written for each version of the protocol, or by programs. */
const NOT_READ = /^(?:docs\/api\/|CHANGELOG|THIRD-PARTY-NOTICES)/;

const documents = documentsOf(repository).filter(({ path }) => !NOT_READ.test(path));
const read = (path: string) => readFileSync(join(repository, path), "utf8");

test("the configuration page lists every variable with the server's default and description", () => {
  const rows = read("docs/configuration.md").matchAll(/^\| `([A-Z_0-9]+)`\s*\| (.*?)\s*\| (.*?)\s*\|$/gm);
  const listed = [...rows].map(([, name, fallback, meaning]) => ({ name, default: fallback, meaning }));
  expect(listed).toEqual(VARIABLES);
});

test("documents name only scripts that exist", () => {
  const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
  const named = documents.flatMap(({ path, text }) =>
    [...text.matchAll(/npm run ([a-z0-9:]+)/g)].map(([, name = ""]) => ({ path, name })),
  );
  expect(named.length).toBeGreaterThan(0);
  expect(named.filter(({ name }) => scripts[name] === undefined)).toEqual([]);
});

test("documents name only source files that exist", () => {
  const named = documents.flatMap(({ path, text }) =>
    [...text.matchAll(/`((?:packages|tools|docs|deploy)\/[\w./-]+\.(?:tsx?|mjs|css|json|md))`/g)].map(
      ([, file = ""]) => ({ path, file }),
    ),
  );
  expect(named.length).toBeGreaterThan(0);
  expect(named.filter(({ file }) => !existsSync(join(repository, file)))).toEqual([]);
});

test("the index of the documents, and that of each folder, links to every page", () => {
  const paths = documents.map(({ path }) => path);
  const pages = paths.filter((path) => /^docs\/|^packages\/[^/]+\/README\.md$/.test(path));
  const missing = pages.filter((path) => {
    const isIndex = path.endsWith("/README.md");
    if (path === "docs/README.md") return false;
    const folder = path.startsWith("docs/") && !isIndex ? posix.dirname(path) : "docs";
    return !read(`${folder}/README.md`).includes(`(${posix.relative(folder, path)})`);
  });
  expect(missing).toEqual([]);
});

test("no line of a document is longer than 300 characters", () => {
  const long = documents.flatMap(({ path, text }) =>
    text.split("\n").flatMap((line, index) => (line.length > LINE_MAX ? [`${path}:${index + 1}`] : [])),
  );
  expect(long).toEqual([]);
});
