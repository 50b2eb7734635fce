import { expect, test } from "vitest";
import type { FriendVO, GroupVO, UserInfo } from "@parley/protocol/entities";
import type { State } from "@parley/core/model/state";
import { newcomerOf } from "./use-newcomer.ts";

const me = { id: 1 } as UserInfo;
const state = (friends: readonly number[], groups: readonly number[], isLoaded = true) =>
  ({
    me,
    contacts: { isLoaded, friends: Object.fromEntries(friends.map((id) => [id, { id } as FriendVO])) },
    groups: { isLoaded, byId: Object.fromEntries(groups.map((id) => [id, { id } as GroupVO])) },
  }) as unknown as State;

test("P145 a user without friends and groups is a newcomer", () => {
  expect(newcomerOf(state([], []))).toBe(me);
  expect(newcomerOf(state([2], []))).toBeNull();
  expect(newcomerOf(state([], [5]))).toBeNull();
});

test("P145 the placeholder friend that pins the chat with oneself does not count as a friend", () => {
  expect(newcomerOf(state([1], []))).toBe(me);
});

test("P145 nobody is welcomed before friends and groups are loaded", () => {
  expect(newcomerOf(state([], [], false))).toBeNull();
});
