import { MessageStatus, MessageType } from "@parley/protocol/codes";
import { describe, expect, test } from "vitest";
import {
  chat,
  localEcho,
  FRIEND_CHAT,
  groupRow,
  ME,
  ownRow,
  privateRow,
  systemRow,
} from "../../testing/builders.ts";
import { createChatHarness, groupInput, privateInput } from "../../testing/chat-harness.ts";
import { alertsOf, shouldSound } from "./chat-alerts.ts";
import { SYSTEM_CHAT, toSystemMessage, toChatMessage } from "../chats/chat-rows.ts";

const LIVE = { isLoading: false };
const PRIVATE = chat({ key: FRIEND_CHAT });
const group = (msgRemind: number) => chat({ key: "GROUP:5", msgRemind });
const message = (part = {}) => toChatMessage(privateRow({ id: 5, ...part }), ME);
const groupMessage = (part = {}) => toChatMessage(groupRow({ id: 5, ...part }), ME);

describe("private chats", () => {
  test.each([
    [1, true],
    [2, true],
    [0, false],
  ])("A1 with msgRemind %i a message plays a sound: %s", (msgRemind, isExpected) => {
    expect(shouldSound(message(), { ...PRIVATE, msgRemind }, LIVE)).toBe(isExpected);
  });

  test.each([
    ["my own", toChatMessage(ownRow({ id: 5 }), ME)],
    ["a local echo", localEcho("a")],
    ["a read one", message({ status: MessageStatus.READED })],
    ["a recalled one", message({ status: MessageStatus.RECALL })],
  ])("A3 %s plays no sound", (_name, silent) => {
    expect(shouldSound(silent, PRIVATE, LIVE)).toBe(false);
  });

  test("A3 a message at or below the read position plays no sound", () => {
    expect(shouldSound(message(), { ...PRIVATE, readId: 5 }, LIVE)).toBe(false);
    expect(shouldSound(message(), { ...PRIVATE, readId: 4 }, LIVE)).toBe(true);
  });

  test.each([
    [MessageType.IMAGE, true],
    [MessageType.VIDEO, true],
    [MessageType.REDENVELOPE, true],
    [MessageType.TRANSFER, true],
    [MessageType.LOCATION, true],
    [MessageType.SHAKE, true],
    [MessageType.BUSINESS_CARD, true],
    [777, true],
    [MessageType.TIP_TEXT, false],
    [MessageType.ACT_RT_VOICE, false],
  ])("A4 type %i plays a sound: %s", (type, isExpected) => {
    expect(shouldSound(message({ type }), PRIVATE, LIVE)).toBe(isExpected);
  });

  test.each([
    ["cancelled", true],
    ["unanswered", true],
    ["ended", false],
  ])("A4 a call that was %s plays a sound: %s", (result, isExpected) => {
    const call = message({ type: MessageType.ACT_RT_VOICE, act: { result, seconds: 0 } });
    expect(shouldSound(call, PRIVATE, LIVE)).toBe(isExpected);
  });

  test("A5 no message plays a sound while a pull runs", () => {
    expect(shouldSound(message(), PRIVATE, { ...LIVE, isLoading: true })).toBe(false);
  });

  test("A4 a message of the system chat plays no sound", () => {
    const system = toSystemMessage(systemRow({ seqNo: 1 }));
    expect(shouldSound(system, chat({ key: SYSTEM_CHAT }), LIVE)).toBe(false);
  });
});

describe("groups", () => {
  test.each([
    [0, 1, true],
    [0, 3, true],
    [1, 1, false],
    [1, 2, true],
    [1, 3, true],
    [2, 1, false],
    [2, 3, false],
  ])("A2 with msgRemind %i a message of role %i plays a sound: %s", (msgRemind, sendRole, isExpected) => {
    expect(shouldSound(groupMessage({ sendRole }), group(msgRemind), LIVE)).toBe(isExpected);
  });

  test("A2 a message without a role counts as a member's", () => {
    expect(shouldSound(message(), group(1), LIVE)).toBe(false);
    expect(shouldSound(message(), group(0), LIVE)).toBe(true);
  });

  test.each([
    [0, true],
    [1, false],
    [2, false],
  ])(
    "A2 with msgRemind %i a member's message that mentions me plays a sound: %s",
    (msgRemind, isExpected) => {
      expect(shouldSound(groupMessage({ atUserIds: [ME] }), group(msgRemind), LIVE)).toBe(isExpected);
    },
  );

  test.each([
    [MessageType.VIDEO, true],
    [MessageType.REDENVELOPE, false],
    [MessageType.LOCATION, false],
    [MessageType.SHAKE, false],
    [MessageType.TIP_TEXT, false],
  ])("A4 in a group type %i plays a sound: %s", (type, isExpected) => {
    expect(shouldSound(groupMessage({ type }), group(0), LIVE)).toBe(isExpected);
  });
});

describe("A11 alerts of pushed rows", () => {
  /** The kinds and ids of the alerts that these inputs cause. */
  function alerts(
    harness: ReturnType<typeof createChatHarness>,
    ...inputs: ReturnType<typeof privateInput>[]
  ) {
    const before = harness.state;
    harness.dispatch(...inputs);
    const rows = inputs.filter((input) => input.kind === "row");
    return alertsOf(rows, before, harness.state).map((chatAlert) =>
      chatAlert.kind === "message"
        ? `${chatAlert.kind} ${chatAlert.message.id}`
        : `${chatAlert.kind} ${chatAlert.key}`,
    );
  }

  test("A11 a message that raises the unread count alerts once, and its copy does not", () => {
    const harness = createChatHarness();
    const [five, six] = [privateInput(privateRow({ id: 5 })), privateInput(privateRow({ id: 6 }))];
    expect(alerts(harness, five)).toEqual(["message 5"]);
    expect(alerts(harness, five, six)).toEqual(["message 6"]);
    expect(alerts(harness, six)).toEqual([]);
  });

  test("A11 my own message, a read one and one of an unknown chat do not alert", () => {
    const harness = createChatHarness();
    expect(alerts(harness, privateInput(ownRow({ id: 5 })))).toEqual([]);
    expect(alerts(harness, privateInput(privateRow({ id: 6, status: MessageStatus.READED })))).toEqual([]);
    const row = { key: "PRIVATE:99", message: message() } as const;
    expect(alertsOf([row], harness.state, harness.state)).toEqual([]);
  });

  test("A10 A11 a nudge alerts beside its message, and a muted chat alerts neither", () => {
    const harness = createChatHarness();
    const nudge = (id: number) => privateInput(privateRow({ id, type: MessageType.SHAKE }));
    expect(alerts(harness, nudge(5))).toEqual(["message 5", `nudge ${FRIEND_CHAT}`]);
    harness.dispatch({ kind: "settings", key: FRIEND_CHAT, isTop: false, msgRemind: 0 });
    expect(alerts(harness, nudge(6))).toEqual([]);
  });

  test("A11 a group that alerts only for owner and admins also alerts for unread messages that mention me", () => {
    const harness = createChatHarness();
    harness.dispatch(groupInput(groupRow({ id: 5 })));
    const [key] = Object.values(harness.state.byKey).map((known) => known.key);
    if (key === undefined) throw new Error("no group chat");
    harness.dispatch({ kind: "settings", key, isTop: false, msgRemind: 1 });
    expect(alerts(harness, groupInput(groupRow({ id: 6 })))).toEqual([]);
    expect(alerts(harness, groupInput(groupRow({ id: 7, atUserIds: [ME] })))).toEqual(["message 7"]);
    expect(alerts(harness, groupInput(groupRow({ id: 8, sendRole: 2 })))).toEqual(["message 8"]);
  });
});
