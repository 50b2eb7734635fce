import { expect, test } from "vitest";
import { flawsOfLog } from "./log-scan.ts";

test("secrets, errors, unknown lines and torn lines of a log are found, and nothing else", () => {
  const lines = [
    "Parley is ready: http://127.0.0.1:1",
    '{"level":30,"msg":"started"}',
    '{"level":30,"msg":"hidden word"}',
    '{"level":50,"msg":"failed"}',
    '{"level":30,"msg":"sta',
    "    at main.ts:1",
    "null",
    "",
  ];
  expect(flawsOfLog(lines.join("\n"), ["hidden word"])).toEqual([
    'the log contains "hidden word": {"level":30,"msg":"hidden word"}',
    'the log reports an error: {"level":50,"msg":"failed"}',
    'the log reports an error: {"level":30,"msg":"sta',
    "the log reports an error:     at main.ts:1",
    "the log reports an error: null",
  ]);
});
