import { expect, test } from "vitest";
import { allowsAlert, countsAsUnread } from "./alert-level.ts";
import { ChatType, GroupRole, MessageType } from "./codes.ts";

const { MEMBER, ADMIN } = GroupRole;

test.each([
  [ChatType.PRIVATE, 1, MEMBER, false, true],
  [ChatType.PRIVATE, 0, MEMBER, false, false],
  [ChatType.SYSTEM, null, null, false, true],
  [ChatType.GROUP, 0, MEMBER, false, true],
  [ChatType.GROUP, 1, MEMBER, false, false],
  [ChatType.GROUP, 1, MEMBER, true, true],
  [ChatType.GROUP, 1, ADMIN, false, true],
  [ChatType.GROUP, 2, ADMIN, true, false],
])("%s with msgRemind %s, role %s, mentioned %s: alerts %s", (type, msgRemind, sendRole, mentionsMe, may) => {
  expect(allowsAlert({ type, msgRemind }, { sendRole, mentionsMe })).toBe(may);
});

test("texts and missed calls count as unread, tips, edits and answered calls do not", () => {
  const result = (text: string) => ({ result: text, seconds: 0 });
  expect(countsAsUnread({ type: MessageType.TEXT, act: null })).toBe(true);
  expect(countsAsUnread({ type: 9_999, act: null })).toBe(true);
  expect(countsAsUnread({ type: MessageType.ACT_RT_VOICE, act: result("unanswered") })).toBe(true);
  expect(countsAsUnread({ type: MessageType.ACT_RT_VOICE, act: result("answered") })).toBe(false);
  for (const type of [MessageType.TIP_TEXT, MessageType.EDIT, MessageType.RECALL]) {
    expect(countsAsUnread({ type, act: null })).toBe(false);
  }
});
