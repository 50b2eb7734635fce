import { expect, test } from "vitest";
import { findVisiblePresence } from "./visible-presence.ts";

const ME = 1;
const TERMINALS = [2];
const everyone = [ME, 2, 3, 4, 5, 6, 7, 8];

/** 2 and 6 to 8 are friends, 3 is one no more, 4 is of the same group; 6 is blocked and 7 blocks. */
function world(onlineIds: readonly number[]) {
  const asked: (readonly number[])[] = [];
  const facts = {
    listFriends: async () => [2, 3, 6, 7, 8].map((friendId) => ({ friendId, isDeleted: friendId === 3 })),
    listGroupPeers: async (_: number, among: readonly number[]) => {
      asked.push(among);
      return [4];
    },
    listBlocked: async () => [6],
    listBlockers: async () => [7],
  };
  const presence = { online: async () => new Map(onlineIds.map((id) => [id, TERMINALS])) };
  return { asked, find: () => findVisiblePresence(facts, presence, ME, everyone) };
}

test("one sees oneself, friends and people of one's groups, but nobody across a block", async () => {
  const { asked, find } = world(everyone);
  expect(await find()).toEqual(new Map([ME, 2, 4, 8].map((id) => [id, TERMINALS])));
  expect(asked).toEqual([everyone]);
});

test("where nobody else is online nothing is looked up", async () => {
  for (const ids of [[], [ME]]) {
    const { asked, find } = world(ids);
    expect([...(await find()).keys()]).toEqual(ids);
    expect(asked).toEqual([]);
  }
});

test("only a stranger is online: nobody is shown", async () => {
  expect((await world([5]).find()).size).toBe(0);
  expect([...(await world([ME, 5]).find()).keys()]).toEqual([ME]);
});
