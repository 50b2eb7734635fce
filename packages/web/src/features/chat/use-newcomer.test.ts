import { expect, it } from "vitest";
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

it("P145 whoever has neither friends nor groups is new here", () => {
  expect(newcomerOf(state([], []))).toBe(me);
  expect(newcomerOf(state([2], []))).toBeNull();
  expect(newcomerOf(state([], [5]))).toBeNull();
});

it("P145 the pin of notes to oneself makes nobody at home", () => {
  expect(newcomerOf(state([1], []))).toBe(me);
});

it("P145 while that is not known nobody is welcomed", () => {
  expect(newcomerOf(state([], [], false))).toBeNull();
});
