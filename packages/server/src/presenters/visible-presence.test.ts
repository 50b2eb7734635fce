import { expect, test } from "vitest";
import { findVisiblePresence } from "./visible-presence.ts";

const ME = 1;
const TERMINALS = [2];
const everyone = [ME, 2, 3, 4, 5, 6, 7, 8];

/** 2, 6, 7 and 8 are friends, 3 is a deleted friend, 4 is in the same group; 6 is blocked, and 7 has blocked me. */
function createPresence(onlineIds: readonly number[]) {
  const peerLookups: (readonly number[])[] = [];
  const reads = {
    listFriends: async () => [2, 3, 6, 7, 8].map((friendId) => ({ friendId, isDeleted: friendId === 3 })),
    listGroupPeers: async (_: number, among: readonly number[]) => {
      peerLookups.push(among);
      return [4];
    },
    listBlocked: async () => [6],
    listBlockers: async () => [7],
  };
  const presence = { online: async () => new Map(onlineIds.map((id) => [id, TERMINALS])) };
  return { peerLookups, find: () => findVisiblePresence(reads, presence, ME, everyone) };
}

test("people see themselves, friends and members of their groups online, but nobody across a block", async () => {
  const { peerLookups, find } = createPresence(everyone);
  expect(await find()).toEqual(new Map([ME, 2, 4, 8].map((id) => [id, TERMINALS])));
  expect(peerLookups).toEqual([everyone]);
});

test("if nobody else is online, nothing is looked up", async () => {
  for (const ids of [[], [ME]]) {
    const { peerLookups, find } = createPresence(ids);
    expect([...(await find()).keys()]).toEqual(ids);
    expect(peerLookups).toEqual([]);
  }
});

test("if only a stranger is online, nobody is shown", async () => {
  expect((await createPresence([5]).find()).size).toBe(0);
  expect([...(await createPresence([ME, 5]).find()).keys()]).toEqual([ME]);
});
