import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { withResults } from "./report.ts";

test("new results leave the rest of the page of benchmarks as it was written", () => {
  const page = readFileSync(new URL("../../../docs/benchmarks.md", import.meta.url), "utf8");
  const before = page.slice(0, page.indexOf("Measured "));
  const after = page.slice(page.lastIndexOf("\n| ")).replace(/^\n.*\n/, "");
  const written = withResults(page, "Measured today.", "| figure |\n| ------ |\n| $& |");
  expect(written).toBe(`${before}Measured today.\n\n| figure |\n| ------ |\n| $& |\n${after}`);
});

test("a page without results is not overwritten", () => {
  expect(() => withResults("# Benchmarks\n", "Measured today.", "| figure |")).toThrow("has no line");
});
