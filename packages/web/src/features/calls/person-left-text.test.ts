import { beforeAll, describe, expect, test } from "vitest";
import { currentText, setLanguage, startLanguage } from "../../kit/i18n.ts";
import { personLeftText } from "./person-left-text.ts";

beforeAll(async () => {
  Object.assign(globalThis, { document: { documentElement: {} } });
  await startLanguage("en-US");
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
