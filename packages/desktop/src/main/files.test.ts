import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { TestLog } from "../testing/test-log.ts";
import { openJsonFile } from "./json-file.ts";
import { createLogFile } from "./log-file.ts";

let folder: string;
let log: TestLog;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "parley-files-"));
  log = new TestLog();
});
afterEach(() => rmSync(folder, { recursive: true }));

describe("a value in a file", () => {
  const open = () =>
    openJsonFile(
      join(folder, "sub", "value.json"),
      { version: 1, schema: z.object({ size: z.int() }), defaults: { size: 7 } },
      log,
    );

  test("is what was written last, and no other file is left", () => {
    open().write({ size: 1 });
    open().write({ size: 2 });
    expect(open().read()).toEqual({ size: 2 });
    expect(readdirSync(join(folder, "sub"))).toEqual(["value.json"]);
    expect(log.said).toEqual([]);
  });

  test("is the default at the first start, and the log has nothing to say", () => {
    expect(open().read()).toEqual({ size: 7 });
    expect(log.said).toEqual([]);
  });

  test.each([
    ["is damaged", '{"version":1,"val'],
    ["is empty", ""],
    ["is of another version", '{"version":2,"value":{"size":1}}'],
    ["has a wrong value", '{"version":1,"value":{"size":"large"}}'],
  ])("that %s is the default, and the log says so", (_, text) => {
    open().write({ size: 1 });
    writeFileSync(join(folder, "sub", "value.json"), text);
    expect(open().read()).toEqual({ size: 7 });
    expect(log.said).toEqual(["a file cannot be read and its defaults are used"]);
  });

  test("that cannot be written is a line of the log", () => {
    writeFileSync(join(folder, "sub"), "a file where the folder should be");
    open().write({ size: 1 });
    expect(log.said).toEqual(["a file cannot be written"]);
  });
});

describe("the log", () => {
  test("has one line for each entry", () => {
    const file = createLogFile(join(folder, "logs"), () => new Date(0));
    file.info("started", { isHidden: true });
    file.error("failed", new Error("why"));
    const lines = readFileSync(join(folder, "logs", "main.log"), "utf8")
      .trimEnd()
      .split("\n");
    const [first, second] = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(first).toEqual({
      time: "1970-01-01T00:00:00.000Z",
      level: "info",
      what: "started",
      isHidden: true,
    });
    expect(second).toMatchObject({
      level: "error",
      what: "failed",
      error: expect.stringContaining("Error: why"),
    });
  });

  test("never takes more than two megabytes, and keeps what came last", () => {
    const file = createLogFile(folder, () => new Date(0));
    for (let number = 0; number < 30; number++) file.info("x".repeat(100_000), { number });
    const sizes = readdirSync(folder).map((name) => statSync(join(folder, name)).size);
    expect(sizes).toHaveLength(2);
    for (const size of sizes) expect(size).toBeLessThanOrEqual(1_000_000);
    expect(readFileSync(join(folder, "main.log"), "utf8")).toContain('"number":29');
  });
});
