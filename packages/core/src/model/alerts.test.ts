import { MessageStatus, MessageType } from "@parley/protocol/codes";
import { describe, expect, test } from "vitest";
import { chat, echo, FRIEND_CHAT, groupRow, ME, ownRow, privateRow, systemRow } from "../testing/builders.ts";
import { shouldSound } from "./alerts.ts";
import { SYSTEM_CHAT, systemMessage, talkMessage } from "./rows.ts";

const LIVE = { isLoading: false };
const PRIVATE = chat({ key: FRIEND_CHAT });
const group = (msgRemind: number) => chat({ key: "GROUP:5", msgRemind });
const message = (part = {}) => talkMessage(privateRow({ id: 5, ...part }), ME);
const groupMessage = (part = {}) => talkMessage(groupRow({ id: 5, ...part }), ME);

describe("private chats", () => {
  test.each([
    [1, true],
    [2, true],
    [0, false],
  ])("A1 with msgRemind %i a message sounds: %s", (msgRemind, sounds) => {
    expect(shouldSound(message(), { ...PRIVATE, msgRemind }, LIVE)).toBe(sounds);
  });

  test.each([
    ["my own", talkMessage(ownRow({ id: 5 }), ME)],
    ["an echo", echo("a")],
    ["a read one", message({ status: MessageStatus.READED })],
    ["a recalled one", message({ status: MessageStatus.RECALL })],
  ])("A3 %s does not sound", (_name, quiet) => {
    expect(shouldSound(quiet, PRIVATE, LIVE)).toBe(false);
  });

  test("A3 nor does one at or below the read position", () => {
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

  test("A5 nothing sounds while a pull runs", () => {
    expect(shouldSound(message(), PRIVATE, { ...LIVE, isLoading: true })).toBe(false);
  });

  test("A4 the system chat has no alert", () => {
    const system = systemMessage(systemRow({ seqNo: 1 }));
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
