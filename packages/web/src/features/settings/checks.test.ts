import { expect, test } from "vitest";
import {
  clockFinding,
  desktopFinding,
  deviceFinding,
  iceFinding,
  secureFinding,
  serverFinding,
  socketFinding,
  speakerFinding,
  UNTRIED,
} from "./checks.ts";

const answer = (clockMs: number | null, answerMs = 20) => ({ kind: "ok" as const, answerMs, clockMs });

test("ST5 a server that answers says how fast; a slow one and a missing one say what to do", () => {
  expect(serverFinding(answer(0, 20.4))).toEqual({
    level: "ok",
    text: "check.server.ok",
    params: { ms: 20 },
  });
  expect(serverFinding(answer(0, 999))).toMatchObject({ level: "ok" });
  expect(serverFinding(answer(0, 1_000))).toMatchObject({ level: "warn", advice: "check.server.slowAdvice" });
  expect(serverFinding({ kind: "noAnswer" })).toMatchObject({
    level: "bad",
    advice: "check.server.noAnswerAdvice",
  });
  expect(serverFinding({ kind: "notParley" })).toMatchObject({
    level: "bad",
    advice: "check.server.notParleyAdvice",
  });
});

test("ST5 a clock that differs by 30 s or more is reported, with its direction", () => {
  expect([clockFinding(answer(29_999)).text, clockFinding(answer(-29_999)).text]).toEqual([
    "check.clock.ok",
    "check.clock.ok",
  ]);
  expect(clockFinding(answer(30_000))).toMatchObject({
    level: "warn",
    text: "check.clock.ahead",
    clockMs: 30_000,
  });
  expect(clockFinding(answer(-90_000))).toMatchObject({ text: "check.clock.behind", clockMs: -90_000 });
  expect(clockFinding(answer(null))).toMatchObject({ level: "info", text: "check.clock.unknown" });
  expect(clockFinding({ kind: "noAnswer" })).toMatchObject({ text: "check.clock.unknown" });
});

test("ST5 the socket is in order if it answers a heartbeat", () => {
  expect(socketFinding(12.6)).toEqual({ level: "ok", text: "check.socket.ok", params: { ms: 13 } });
  expect(socketFinding(null)).toMatchObject({ level: "bad", advice: "check.socket.advice" });
});

test("the desktop application is as encrypted as its way to the server", () => {
  expect(desktopFinding("https://im.example")).toEqual({ level: "ok", text: "check.secure.ok" });
  expect(desktopFinding("http://192.168.1.20:8080")).toEqual({ level: "warn", text: "check.secure.plain" });
});

test("ST5 a page of this computer counts as encrypted, one of http elsewhere does not", () => {
  expect(secureFinding(true, "https:").text).toBe("check.secure.ok");
  expect(secureFinding(true, "http:").text).toBe("check.secure.local");
  expect(secureFinding(false, "http:")).toMatchObject({ level: "warn", advice: "check.secure.advice" });
});

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
