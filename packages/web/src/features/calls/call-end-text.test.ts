import { beforeAll, describe, expect, test } from "vitest";
import type { CallEnd } from "@parley/core/model/calls/call";
import { currentText, startLanguage } from "../../kit/i18n.ts";
import { callEndText, deviceProblemText } from "./call-end-text.ts";

beforeAll(async () => {
  Object.assign(globalThis, { document: { documentElement: {} } });
  await startLanguage("en-US");
});

const textOf = (end: CallEnd, kind: "private" | "group" = "private") =>
  callEndText({ kind, end }, currentText());

describe("the sentence for an ended call is that of spec §8", () => {
  test.each<[CallEnd, string]>([
    [{ kind: "rejected" }, "The other party rejected your call"],
    [{ kind: "cancelledByOther" }, "The other party cancelled the call"],
    [{ kind: "hungUp" }, "The other party hung up"],
    [{ kind: "youDidNotAnswer" }, "You did not answer"],
    [{ kind: "answeredElsewhere" }, "Answered on another device"],
    [{ kind: "rejectedElsewhere" }, "Rejected on another device"],
    [{ kind: "cancelled" }, "Call cancelled"],
    [{ kind: "notSupported", isInsecure: false }, "Device does not support calling"],
    [
      { kind: "notSupported", isInsecure: true },
      "RTC init failed, possible causes: the server has no SSL certificate, or the device does not support WebRTC",
    ],
  ])("%j", (end, text) => {
    expect(textOf(end)).toBe(text);
  });
});

describe("the sentence for a call that ended in a way of ours", () => {
  test.each<[CallEnd, string]>([
    [{ kind: "noAnswer" }, "No answer"],
    [{ kind: "notConnected" }, "The connection could not be made"],
    [{ kind: "lost" }, "The connection of the call was lost"],
    [{ kind: "ended" }, "The call has ended"],
    [{ kind: "removed" }, "You are no longer a member of the group, the call has ended"],
  ])("%j", (end, text) => {
    expect(textOf(end)).toBe(text);
  });

  test("in a group it says that nobody answered", () => {
    expect(textOf({ kind: "noAnswer" }, "group")).toBe("Nobody answered");
  });
});

describe("a reason of another side", () => {
  test.each([
    ["Device does not support calling", "Device does not support calling"],
    ["您已不是对方好友，无法呼叫", "You are no longer friends, cannot make call"],
    ["对方无应答", "No answer"],
    ["对方正忙", "The other party is busy"],
    ["网络连接失败", "The connection could not be made"],
  ])("that is known is translated: %s", (reason, text) => {
    expect(textOf({ kind: "failed", reason })).toBe(text);
  });

  test("that is not known is shown as it was sent", () => {
    expect(textOf({ kind: "failed", reason: "对方在火星" })).toBe("对方在火星");
    expect(textOf({ kind: "failed", reason: "constructor" })).toBe("constructor");
  });

  test("that is missing leaves only that the call has ended", () => {
    expect(textOf({ kind: "failed", reason: "" })).toBe("The call has ended");
  });
});

test("a refusal of the server is told as every other refusal, and of a former friend in the words of spec §8", () => {
  const refused = (key: string, message: string): CallEnd => ({
    kind: "refused",
    // A newer server may name what this client's list does not have.
    failure: { kind: "refused", code: 500, key, params: {}, message } as Extract<
      CallEnd,
      { kind: "refused" }
    >["failure"],
  });
  expect(textOf(refused("call.notFriend", "您已不是对方好友，无法呼叫"))).toBe(
    "You are no longer friends, cannot make call",
  );
  expect(textOf(refused("call.full", "人员已满，无法进入通话"))).toBe("The call is full");
  expect(textOf(refused("call.unheardOf", "服务器的话"))).toBe("服务器的话");
});

test("a call that ends because of the microphone says that it failed and what helps", () => {
  expect(textOf({ kind: "microphone", problem: "missing" })).toBe(
    "Failed to open the microphone: No device was found; plug one in and try again",
  );
});

test("a device that cannot be opened is named in the words of spec §8, and each problem has its own help", () => {
  const problems = ["denied", "missing", "inUse", "insecure", "unknown"] as const;
  const texts = problems.map((problem) => deviceProblemText("camera", problem, currentText()));
  expect(texts.every((text) => text.startsWith("Failed to open the camera: "))).toBe(true);
  expect(new Set(texts).size).toBe(problems.length);
  expect(deviceProblemText("microphone", "denied", currentText())).toMatch(
    /^Failed to open the microphone: /,
  );
});
