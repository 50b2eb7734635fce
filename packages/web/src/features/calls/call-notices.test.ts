import { beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import type { Client } from "@parley/core/client-api";
import type { CallEnd } from "@parley/core/model/calls/call";
import { INITIAL_STATE } from "@parley/core/state-store";
import { currentText, setLanguage, startLanguage } from "../../kit/i18n/i18n.ts";
import { useToasts } from "../../ui/toast-store.ts";
import {
  callEndText,
  deviceProblemText,
  personLeftText,
  showCallNotice,
  type CallNotice,
} from "./call-notices.ts";

const GROUP = 7;
const start = vi.fn();
const client = { getState: () => INITIAL_STATE, calls: { start } } as unknown as Client;

beforeAll(async () => {
  Object.assign(globalThis, { document: { documentElement: {} } });
  await startLanguage("en-US");
});
beforeEach(() => {
  start.mockClear();
  useToasts.setState([], true);
});

function toastFor(notice: CallNotice) {
  showCallNotice(client, notice);
  return useToasts.getState().at(-1);
}

test("a person who is no longer in the call of a group is named as in the call, also if nothing else is known of them", () => {
  const ann = { userId: 11, nickName: "Ann" };
  const left = { kind: "callPersonLeft", groupId: GROUP, people: [ann], reason: "" } as const;
  expect(toastFor({ ...left, why: "quit" })?.text).toBe("Ann quit the call");
  const people = [ann, { userId: 12, nickName: "" }];
  expect(toastFor({ ...left, why: "failed", people })?.text).toBe("Ann and User 12 did not join the call");
});

test("a call that nobody meant to end can be made again from its toast", () => {
  const call = { kind: "private", userId: 5, mode: "video", isCaller: false } as const;
  const lost = toastFor({ kind: "callEnded", call: { ...call, end: { kind: "lost" } } });
  lost?.action?.run();
  expect(start).toHaveBeenCalledExactlyOnceWith(5, "video");
  expect(toastFor({ kind: "callEnded", call: { ...call, end: { kind: "hungUp" } } })?.action).toBeNull();
});

test("why a call has ended is shown for 1.5 s, and longer only if the person has something to do", () => {
  const call = { kind: "private", userId: 5, mode: "voice", isCaller: true } as const;
  const duration = (end: CallEnd) => toastFor({ kind: "callEnded", call: { ...call, end } })?.durationMs;
  for (const kind of ["hungUp", "cancelled", "rejected", "answeredElsewhere"] as const)
    expect(duration({ kind })).toBe(1_500);
  expect(duration({ kind: "microphone", problem: "denied" })).toBeGreaterThan(1_500);
  expect(duration({ kind: "notSupported", isInsecure: true })).toBeGreaterThan(1_500);
  expect(duration({ kind: "lost" })).toBeGreaterThan(1_500);
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

describe.each([
  [
    "en-US",
    {
      quit: "Ann quit the call",
      rejected: "Ann rejected the call",
      notJoined: "Ann and Bo did not join the call",
      busy: "Ann is busy",
      allBusy: "Ann and Bo are busy",
      removed: "Ann is no longer in the group",
      notConnected: "Ann could not be connected",
      notSupported: "Ann: device does not support calling",
      other: "Ann: no battery",
    },
  ],
  [
    "zh-CN",
    {
      quit: "“Ann”退出了通话",
      rejected: "“Ann”拒绝了通话",
      notJoined: "“Ann”、“Bo”未进入通话",
      busy: "“Ann”正忙",
      allBusy: "“Ann”、“Bo”正忙",
      removed: "“Ann”已不在群聊",
      notConnected: "“Ann”网络连接失败",
      notSupported: "“Ann”：设备不支持通话",
      other: "“Ann”：no battery",
    },
  ],
  [
    "zh-TW",
    {
      quit: "「Ann」退出了通話",
      rejected: "「Ann」拒絕了通話",
      notJoined: "「Ann」、「Bo」未進入通話",
      busy: "「Ann」忙線中",
      allBusy: "「Ann」、「Bo」忙線中",
      removed: "「Ann」已不在群組",
      notConnected: "「Ann」網路連線失敗",
      notSupported: "「Ann」：裝置不支援通話",
      other: "「Ann」：no battery",
    },
  ],
] as const)("people who are no longer in the call, in %s", (locale, texts) => {
  beforeAll(() => setLanguage(locale));
  const failed = (reason: string, people: readonly string[] = ["Ann"]) =>
    personLeftText({ why: "failed", reason }, people, currentText());

  test("are named with what they did", () => {
    const left = (why: "quit" | "rejected") => personLeftText({ why, reason: "" }, ["Ann"], currentText());
    expect(left("quit")).toBe(texts.quit);
    expect(left("rejected")).toBe(texts.rejected);
  });

  test("are named with a known reason, in the language of the reader", () => {
    expect(failed("未进入通话", ["Ann", "Bo"])).toBe(texts.notJoined);
    expect(failed("用户正忙")).toBe(texts.busy);
    expect(failed("对方正忙", ["Ann", "Bo"])).toBe(texts.allBusy);
    expect(failed("已不在群聊")).toBe(texts.removed);
    expect(failed("网络连接失败")).toBe(texts.notConnected);
    expect(failed("device does not support calling")).toBe(texts.notSupported);
  });

  test("are named with an unknown reason as it is, and did not join if there is none", () => {
    expect(failed("no battery")).toBe(texts.other);
    expect(failed("", ["Ann", "Bo"])).toBe(texts.notJoined);
  });
});
