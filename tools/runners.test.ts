import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { countPlaywright, countVitest, readBattery } from "./lib/test-runners.ts";

beforeEach(() => {
  vi.spyOn(console, "log").mockReturnValue();
});
afterEach(() => {
  vi.restoreAllMocks();
});

const vitest = (passed: number, failed: number, files: { status: string; tests: number }[] = []) => ({
  numPassedTests: passed,
  numFailedTests: failed,
  testResults: files.map(({ status, tests }) => ({
    name: "a.test.ts",
    status,
    assertionResults: Array.from({ length: tests }),
  })),
});
const playwright = (expected: number, unexpected: number, flaky = 0) => ({
  stats: { expected, flaky, unexpected },
  suites: [
    {
      specs: Array.from({ length: flaky }, (_, n) => ({
        title: `T${n} flaky`,
        file: "a.spec.ts",
        tests: [{ status: "flaky" as const, annotations: [] }],
      })),
    },
  ],
});

test.each([
  ["all passed", vitest(5, 0), 0, { passed: 5, failed: 0 }],
  ["a failed test", vitest(4, 1, [{ status: "failed", tests: 5 }]), 1, { passed: 4, failed: 1 }],
  ["a file that does not load", vitest(5, 0, [{ status: "failed", tests: 0 }]), 1, { passed: 5, failed: 1 }],
  ["an unhandled rejection", vitest(5, 0), 1, { passed: 5, failed: 1 }],
  ["no tests", vitest(0, 0), 0, { passed: 0, failed: 1 }],
  ["no report", undefined, 0, { passed: 0, failed: 1 }],
])("counts Vitest: %s", (_, report, code, count) => {
  expect(countVitest(report, code)).toEqual(count);
});

test.each([
  ["all passed", playwright(3, 0), 0, { passed: 3, failed: 0 }],
  ["a failed test", playwright(2, 1), 1, { passed: 2, failed: 1 }],
  ["a flaky test", playwright(3, 0, 1), 0, { passed: 3, failed: 1 }],
  ["a crash", playwright(3, 0), 1, { passed: 3, failed: 1 }],
  ["no tests", playwright(0, 0), 1, { passed: 0, failed: 1 }],
  ["no report", undefined, 1, { passed: 0, failed: 1 }],
])("counts Playwright: %s", (_, report, code, count) => {
  expect(countPlaywright(report, code)).toEqual(count);
});

test("a quarantined test may need a second try, one of the same title in another file may not; both are reported as flaky", () => {
  const quarantine = [
    { file: "a.spec.ts", title: "T0 flaky", reason: "slow once" },
    { file: "b.spec.ts", title: "T1 flaky", reason: "slow twice" },
  ];
  expect(countPlaywright(playwright(3, 0, 2), 0, quarantine)).toEqual({ passed: 4, failed: 1 });
  expect(vi.mocked(console.log).mock.calls.flat()).toEqual([
    'quarantined a.spec.ts "T0 flaky" is flaky, it passed only when tried again: slow once',
    'FAILED a.spec.ts "T1 flaky" is flaky, it passed only when tried again',
  ]);
});

const battery = (...statuses: readonly ("expected" | "unexpected" | "flaky" | "skipped")[]) => ({
  suites: [
    {
      specs: statuses.map((status, index) => ({
        title: `${index} ${status}`,
        file: "a.spec.ts",
        tests: [{ status, annotations: [{ type: "done", description: `${index} deaths` }] }],
      })),
    },
  ],
});

test.each([
  ["all passed", battery("expected", "skipped"), 0, ["0 expected"], []],
  ["a failed test", battery("expected", "unexpected"), 1, ["0 expected"], ["1 unexpected"]],
  ["a flaky test", battery("flaky"), 0, [], ["0 flaky"]],
  ["a crash", battery("expected"), 1, ["0 expected"], ["Playwright ended with code 1"]],
  ["no test that ran", battery("skipped"), 0, [], ["Playwright ran no test"]],
  ["no report", undefined, 0, [], ["Playwright wrote no report"]],
])("reads a battery of Playwright: %s", (_, report, code, passed, failed) => {
  expect(readBattery(report, code)).toMatchObject({ passed, failed });
});

test("a Playwright battery reports the done annotations of its tests", () => {
  expect(readBattery(battery("expected", "expected"), 0).done).toEqual(["0 deaths", "1 deaths"]);
});
