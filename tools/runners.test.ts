import { join } from "node:path";
import { expect, test } from "vitest";
import { repository } from "./lib/files.ts";
import { countPlaywright, countVitest, readBattery } from "./lib/test-runners.ts";

const vitest = (passed: number, files: { status: string; tests: string[] }[] = []) => ({
  numPassedTests: passed,
  testResults: files.map(({ status, tests }) => ({
    name: join(repository, "a.test.ts"),
    status,
    assertionResults: tests.map((result, index) => ({
      status: result,
      fullName: `T${index}`,
      failureMessages:
        result === "failed" ? ["AssertionError: expected 1\n  to be 2\n    at a.test.ts:3:1"] : [],
    })),
  })),
});
const playwright = (expected: number, ...others: readonly ("unexpected" | "flaky")[]) => ({
  stats: { expected },
  suites: [
    {
      specs: others.map((status, index) => ({
        title: `T${index} ${status}`,
        file: "a.spec.ts",
        tests: [
          {
            status,
            annotations: [],
            results: [{ errors: [{ message: "\u001B[31mtoo late\u001B[39m" }] }, { errors: [] }],
          },
        ],
      })),
    },
  ],
});
const FLAKY = "is flaky, it passed only when tried again: too late";

test.each([
  ["all passed", vitest(5), 0, 5, []],
  [
    "a failed test",
    vitest(1, [{ status: "failed", tests: ["passed", "failed"] }]),
    1,
    1,
    ['a.test.ts "T1": AssertionError: expected 1 to be 2'],
  ],
  [
    "a file that does not load",
    vitest(5, [{ status: "failed", tests: [] }]),
    1,
    5,
    ["a.test.ts did not load"],
  ],
  ["an unhandled rejection", vitest(5), 1, 5, ["Vitest ended with code 1 although no test failed"]],
  ["no tests", vitest(0), 0, 0, ["Vitest ran no test"]],
  ["no report", undefined, 0, 0, ["Vitest wrote no report"]],
])("counts Vitest: %s", (_, report, code, passed, failures) => {
  expect(countVitest(report, code)).toEqual({ passed, failures });
});

test.each([
  ["all passed", playwright(3), 0, 3, []],
  ["a failed test", playwright(2, "unexpected"), 1, 2, ['a.spec.ts "T0 unexpected": too late']],
  ["a flaky test", playwright(3, "flaky"), 0, 3, [`a.spec.ts "T0 flaky" ${FLAKY}`]],
  ["a crash", playwright(3), 1, 3, ["Playwright ended with code 1 although no test failed"]],
  ["no tests", playwright(0), 1, 0, ["Playwright ran no test"]],
  ["no report", undefined, 1, 0, ["Playwright wrote no report"]],
])("counts Playwright: %s", (_, report, code, passed, failures) => {
  expect(countPlaywright(report, code)).toEqual({ passed, failures });
});

test("the list of failures has the beginning of a long error", () => {
  const report = vitest(0, [{ status: "failed", tests: ["failed"] }]);
  const { failures } = countVitest(
    {
      ...report,
      testResults: report.testResults.map((file) => ({
        ...file,
        assertionResults: file.assertionResults.map((result) => ({
          ...result,
          failureMessages: ["x".repeat(900)],
        })),
      })),
    },
    1,
  );
  expect(failures).toEqual([`a.test.ts "T0": ${"x".repeat(500)} ...`]);
});

const battery = (...statuses: readonly ("expected" | "unexpected" | "flaky" | "skipped")[]) => ({
  suites: [
    {
      specs: statuses.map((status, index) => ({
        title: `${index} ${status}`,
        file: "a.spec.ts",
        tests: [{ status, annotations: [{ type: "done", description: `${index} deaths` }], results: [] }],
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
