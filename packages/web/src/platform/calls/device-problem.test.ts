import { expect, test } from "vitest";
import { deviceProblem, screenProblem } from "./device-problem.ts";

test.each([
  ["NotAllowedError", "denied"],
  ["NotFoundError", "missing"],
  ["OverconstrainedError", "missing"],
  ["NotReadableError", "inUse"],
  ["AbortError", "inUse"],
  ["SecurityError", "unknown"],
] as const)("an open request that ends with %s has the problem %s", (name, problem) => {
  expect(deviceProblem(new DOMException("", name))).toBe(problem);
});

test("an error that is no Error is read by its name", () => {
  expect(deviceProblem({ name: "OverconstrainedError", constraint: "deviceId" })).toBe("missing");
});

test("a fault of the program is an unknown problem", () => {
  expect(deviceProblem(new TypeError("empty constraints"))).toBe("unknown");
  expect(deviceProblem(undefined)).toBe("unknown");
});

test("a person who chooses no screen has cancelled", () => {
  expect(screenProblem(new DOMException("Permission denied", "NotAllowedError"))).toBe("cancelled");
});

test("a screen that the system does not give is denied", () => {
  expect(screenProblem(new DOMException("Permission denied by system", "NotAllowedError"))).toBe("denied");
});
