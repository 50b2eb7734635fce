import { expect, test } from "vitest";
import { FRIEND_CHAT, GROUP, GROUP_CHAT, groupVO, ME } from "../../testing/builders.ts";
import { EMPTY_GROUPS } from "../signed-out-state.ts";
import { chatKey, SYSTEM_CHAT } from "./chat-rows.ts";
import { typingTarget, type Typist, type Typists, withoutTypist, withTypist } from "./typing.ts";

const typist = (userId: number, what: Typist["what"] = "text"): Typist => ({ userId, name: null, what });

test("TY4 people who type stand in the order in which they began", () => {
  const two = withTypist(withTypist({}, GROUP_CHAT, typist(7)), GROUP_CHAT, typist(8));
  expect(two[GROUP_CHAT]).toEqual([typist(7), typist(8)]);
  expect(withTypist(two, GROUP_CHAT, typist(7, "voice"))[GROUP_CHAT]).toEqual([
    typist(7, "voice"),
    typist(8),
  ]);
});

test("TY5 a chat in which nobody types any more has no entry, and whoever does not type changes nothing", () => {
  const before: Typists = { [GROUP_CHAT]: [typist(7), typist(8)], [FRIEND_CHAT]: [typist(2)] };
  const one = withoutTypist(before, GROUP_CHAT, 7);
  expect(one).toEqual({ [GROUP_CHAT]: [typist(8)], [FRIEND_CHAT]: [typist(2)] });
  expect(one[FRIEND_CHAT]).toBe(before[FRIEND_CHAT]);
  expect(withoutTypist(one, GROUP_CHAT, 8)).toEqual({ [FRIEND_CHAT]: [typist(2)] });
  expect(withoutTypist(before, GROUP_CHAT, 9)).toBe(before);
  expect(withoutTypist(before, SYSTEM_CHAT, 7)).toBe(before);
});

test("TY3 the others of a private chat and of a group of at most 100 are told, nobody else", () => {
  const session = { kind: "active", userId: ME } as const;
  const target = (key: typeof GROUP_CHAT, membersCount = 100) =>
    typingTarget({ session, groups: { ...EMPTY_GROUPS, byId: { [GROUP]: groupVO({ membersCount }) } } }, key);
  expect(target(FRIEND_CHAT)).toEqual({ type: "PRIVATE", targetId: 2 });
  expect(target(GROUP_CHAT)).toEqual({ type: "GROUP", targetId: GROUP });
  expect(target(GROUP_CHAT, 101)).toBeNull();
  expect(target(chatKey("PRIVATE", ME))).toBeNull();
  expect(target(SYSTEM_CHAT)).toBeNull();
});
