import { expect, test } from "vitest";
import { deviceFinding, iceFinding, speakerFinding, UNTRIED } from "./call-findings.ts";

test("ST5 a device that was not tried is no fault, and can be tried", () => {
  expect(UNTRIED).toMatchObject({ level: "info", canTry: true });
});

test("ST5 a device that works is named", () => {
  expect(deviceFinding({ kind: "works", name: "Headset" })).toEqual({
    level: "ok",
    text: "check.device.works",
    params: { name: "Headset" },
    canTry: true,
  });
});

test.each(["denied", "missing", "inUse", "insecure", "unknown"] as const)(
  "ST5 a device that is %s says what to do, and can be tried again",
  (kind) => {
    expect(deviceFinding({ kind })).toEqual({
      level: "warn",
      text: `check.device.${kind}`,
      advice: `check.device.${kind}Advice`,
      canTry: true,
    });
  },
);

test("ST5 a sound that was played is in order, and one that was blocked is not", () => {
  expect(speakerFinding("played")).toMatchObject({ level: "ok", text: "settings.testSound.played" });
  expect(speakerFinding("blocked")).toMatchObject({ level: "warn", text: "settings.testSound.blocked" });
});

test("ST5 servers for calls that are not set up, or not known, are no fault", () => {
  expect(iceFinding({ kind: "notSetUp" })).toEqual({ level: "info", text: "check.ice.notSetUp" });
  expect(iceFinding(null)).toEqual({ level: "info", text: "check.ice.unknown" });
});

test("ST5 a server for calls that works says how fast, and one that does not what to do", () => {
  expect(iceFinding({ kind: "works", ms: 41.6 })).toEqual({
    level: "ok",
    text: "check.ice.works",
    params: { ms: 42 },
  });
  for (const kind of ["refused", "noAnswer", "unsupported"] as const)
    expect(iceFinding({ kind })).toMatchObject({ level: "warn", advice: `check.ice.${kind}Advice` });
});

test("ST5 without the part of the program that checks, the lines say so", () => {
  expect(deviceFinding({ kind: "notLoaded" })).toEqual({
    level: "warn",
    text: "app.chunkFailed",
    canTry: true,
  });
  expect(iceFinding({ kind: "notLoaded" })).toEqual({ level: "warn", text: "app.chunkFailed" });
});
