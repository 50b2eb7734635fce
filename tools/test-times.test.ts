import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { playwrightTimes, readTimes, recordTimes, timesTable, vitestTimes } from "./lib/test-times.ts";

test("the times of Vitest have the project of each file", () => {
  const result = (name: string) => ({ name: join("/root", name), startTime: 1_000, endTime: 1_500 });
  const names = ["packages/core/src/a.test.ts", "packages/web/src/ui/b.test.tsx", "tools/c.test.ts"];
  expect(vitestTimes({ testResults: names.map(result) }, "/root")).toEqual([
    { file: names[0], project: "node", ms: 500 },
    { file: names[1], project: "web", ms: 500 },
    { file: names[2], project: "processes", ms: 500 },
  ]);
});

test("the times of Playwright are those of all tests and tries of a file", () => {
  const spec = (projectName: string, ...durations: number[]) => ({
    file: "a.spec.ts",
    tests: [{ projectName, results: durations.map((duration) => ({ duration })) }],
  });
  const report = { suites: [{ specs: [spec("pages", 5)], suites: [{ specs: [spec("pages", 1, 2)] }] }] };
  expect(playwrightTimes(report)).toEqual([
    { file: "packages/e2e/tests/a.spec.ts", project: "pages", ms: 8 },
  ]);
  expect(playwrightTimes({ specs: [spec("pages", 1), spec("calls", 2)] })).toHaveLength(2);
});

test("a file keeps the time of its last run as long as it exists", () => {
  const root = mkdtempSync(join(tmpdir(), "parley-times-"));
  const time = (file: string, ms: number) => ({ file, project: "node", ms });
  writeFileSync(join(root, "a.test.ts"), "");
  writeFileSync(join(root, "b.test.ts"), "");
  recordTimes([time("a.test.ts", 1), time("b.test.ts", 2), time("removed.test.ts", 3)], root);
  recordTimes([time("b.test.ts", 4)], root);
  expect(readTimes(root)).toEqual([time("a.test.ts", 1), time("b.test.ts", 4)]);
  rmSync(root, { recursive: true });
});

test("the table has the slowest files of each project first, and says how many it leaves out", () => {
  const files = Array.from({ length: 17 }, (_, index) => ({
    file: `${index}.test.ts`,
    project: "node",
    ms: (index + 1) * 1_000,
  }));
  const table = timesTable([{ file: "w.test.ts", project: "web", ms: 500 }, ...files]).split("\n");
  expect(table.slice(0, 2)).toEqual(["   153.0 s  node: 17 files", "    17.0 s    16.test.ts"]);
  expect(table.slice(-4)).toEqual([
    "     3.0 s    2 more",
    "",
    "     0.5 s  web: 1 files",
    "     0.5 s    w.test.ts",
  ]);
  expect(timesTable([])).toContain("npm test");
});
