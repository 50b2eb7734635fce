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
  ])("A1 with msgRemind %i a message sounds: %s", (msgRemind, sounds) => {
    expect(shouldSound(message(), { ...PRIVATE, msgRemind }, LIVE)).toBe(sounds);
  });

  test.each([
    ["my own", toChatMessage(ownRow({ id: 5 }), ME)],
    ["an echo", localEcho("a")],
    ["a read one", message({ status: MessageStatus.READED })],
    ["a recalled one", message({ status: MessageStatus.RECALL })],
  ])("A3 %s does not sound", (_name, silent) => {
    expect(shouldSound(silent, PRIVATE, LIVE)).toBe(false);
  });

  test("A3 a message at or below the read position does not sound", () => {
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
  ])("A4 type %i sounds: %s", (type, sounds) => {
    expect(shouldSound(message({ type }), PRIVATE, LIVE)).toBe(sounds);
  });

  test.each([
    ["cancelled", true],
    ["unanswered", true],
    ["ended", false],
  ])("A4 a call that was %s sounds: %s", (result, sounds) => {
    const call = message({ type: MessageType.ACT_RT_VOICE, act: { result, seconds: 0 } });
    expect(shouldSound(call, PRIVATE, LIVE)).toBe(sounds);
  });

  test("A5 no message sounds while a pull runs", () => {
    expect(shouldSound(message(), PRIVATE, { ...LIVE, isLoading: true })).toBe(false);
  });

  test("A4 a message of the system chat does not sound", () => {
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
  ])("A2 with msgRemind %i a message of role %i sounds: %s", (msgRemind, sendRole, sounds) => {
    expect(shouldSound(groupMessage({ sendRole }), group(msgRemind), LIVE)).toBe(sounds);
  });

  test("A2 a message that says no role counts as a member's", () => {
    expect(shouldSound(message(), group(1), LIVE)).toBe(false);
    expect(shouldSound(message(), group(0), LIVE)).toBe(true);
  });

  test.each([
    [0, true],
    [1, false],
    [2, false],
  ])("A2 with msgRemind %i a member's message that names me sounds: %s", (msgRemind, sounds) => {
    expect(shouldSound(groupMessage({ atUserIds: [ME] }), group(msgRemind), LIVE)).toBe(sounds);
  });

  test.each([
    [MessageType.VIDEO, true],
    [MessageType.REDENVELOPE, false],
    [MessageType.LOCATION, false],
    [MessageType.SHAKE, false],
    [MessageType.TIP_TEXT, false],
  ])("A4 in a group type %i sounds: %s", (type, sounds) => {
    expect(shouldSound(groupMessage({ type }), group(0), LIVE)).toBe(sounds);
  });
});

describe("A11 what is worth telling of rows that came live", () => {
  /** The kinds and ids told of what these inputs change. */
  function told(hand: ReturnType<typeof createChatHarness>, ...inputs: ReturnType<typeof privateInput>[]) {
    const before = hand.state;
    hand.dispatch(...inputs);
    const rows = inputs.filter((input) => input.kind === "row");
    return alertsOf(rows, before, hand.state).map((chatAlert) =>
      chatAlert.kind === "message"
        ? `${chatAlert.kind} ${chatAlert.message.id}`
        : `${chatAlert.kind} ${chatAlert.key}`,
    );
  }

  test("A11 each message that raises the unread count is told once, and its copy is not", () => {
    const hand = createChatHarness();
    const [five, six] = [privateInput(privateRow({ id: 5 })), privateInput(privateRow({ id: 6 }))];
    expect(told(hand, five)).toEqual(["message 5"]);
    expect(told(hand, five, six)).toEqual(["message 6"]);
    expect(told(hand, six)).toEqual([]);
  });

  test("A11 nothing is told of my own message, of a read one, or of a chat that does not exist", () => {
    const hand = createChatHarness();
    expect(told(hand, privateInput(ownRow({ id: 5 })))).toEqual([]);
    expect(told(hand, privateInput(privateRow({ id: 6, status: MessageStatus.READED })))).toEqual([]);
    const row = { key: "PRIVATE:99", message: message() } as const;
    expect(alertsOf([row], hand.state, hand.state)).toEqual([]);
  });

  test("A10 A11 a shake is told beside its message, and neither of a muted chat", () => {
    const hand = createChatHarness();
    const shake = (id: number) => privateInput(privateRow({ id, type: MessageType.SHAKE }));
    expect(told(hand, shake(5))).toEqual(["message 5", `nudge ${FRIEND_CHAT}`]);
    hand.dispatch({ kind: "settings", key: FRIEND_CHAT, isTop: false, msgRemind: 0 });
    expect(told(hand, shake(6))).toEqual([]);
  });

  test("A11 a group that tells only of admins and the owner also tells what names me, in messages not read yet", () => {
    const hand = createChatHarness();
    hand.dispatch(groupInput(groupRow({ id: 5 })));
    const [key] = Object.values(hand.state.byKey).map((known) => known.key);
    if (key === undefined) throw new Error("no group chat");
    hand.dispatch({ kind: "settings", key, isTop: false, msgRemind: 1 });
    expect(told(hand, groupInput(groupRow({ id: 6 })))).toEqual([]);
    expect(told(hand, groupInput(groupRow({ id: 7, atUserIds: [ME] })))).toEqual(["message 7"]);
    expect(told(hand, groupInput(groupRow({ id: 8, sendRole: 2 })))).toEqual(["message 8"]);
  });
});
