import { GroupRole } from "@parley/protocol/codes";
import { expect, test } from "vitest";
import { createMemoryBus } from "../../adapters/bus/memory-bus.ts";
import type { BusEvent } from "../../ports/bus.ts";
import type { Reads, Tx } from "../../ports/store.ts";
import { NOON, newUser, stored, newGroup } from "../../testing/contracts/store-fixtures.ts";
import { pauseRead, openTestStore } from "../../testing/paused-store.ts";
import { createGroupCache } from "./group-cache.ts";

const rethrow = (error: unknown): never => {
  throw error;
};

/** A group with Ann (owner) and Bob. Cyd is not a member. */
async function createClimbers() {
  const store = await openTestStore();
  const groupId = await store.write(async (tx) => {
    for (const name of ["Ann", "Bob", "Cyd"]) await tx.insertUser(newUser(name, { nickName: name }));
    const { id } = await tx.insertGroup(newGroup(1));
    await tx.upsertGroupMember(id, 1, GroupRole.OWNER, NOON);
    await tx.upsertGroupMember(id, 2, GroupRole.MEMBER, NOON);
    return id;
  });
  const bus = createMemoryBus(rethrow);
  const groupCache = createGroupCache({ store, bus });
  const find = async (memberChanges?: number) => groupCache.find(groupId, memberChanges);
  const send = async () =>
    stored(
      await store.appendGroup({
        tmpId: null,
        type: 0,
        groupId,
        sendId: 1,
        sendNickName: "Ann",
        sendRole: GroupRole.OWNER,
        content: "text",
        sendTime: NOON,
      }),
    );
  return { store, bus, groupCache, groupId, find, send };
}

test("a join or leave is noticed by the next message, before its invalidation arrives", async () => {
  const { store, groupCache, groupId, find, send } = await createClimbers();
  const idsOf = async (memberChanges?: number) => (await find(memberChanges))?.memberIds;
  expect(await idsOf()).toEqual([1, 2]);
  await store.write((tx) => tx.upsertGroupMember(groupId, 3, GroupRole.MEMBER, NOON));
  expect(await idsOf(), "cached").toEqual([1, 2]);
  expect(await idsOf((await send()).memberChanges)).toEqual([1, 2, 3]);
  await store.write((tx) => tx.endGroupStay(groupId, 2));
  expect(await idsOf((await send()).memberChanges)).toEqual([1, 3]);
  expect(await idsOf(), "cached since").toEqual([1, 3]);
  expect(groupCache.find(groupId, (await send()).memberChanges), "synchronous").not.toBeInstanceOf(Promise);
});

type Work = (tx: Tx, groupId: number) => Promise<unknown>;
const ofGroup = (groupId: number): BusEvent => ({ kind: "staleGroup", groupId });
const ofBob = (): BusEvent => ({ kind: "stale", userIds: [2] });

test.each<[string, keyof Reads, Work, (groupId: number) => BusEvent, object]>([
  [
    "a mute",
    "listGroupMembers",
    (tx, id) => tx.updateGroupMember(id, 2, { isMuted: true }),
    ofGroup,
    { isMuted: true },
  ],
  [
    "a role",
    "listGroupMembers",
    (tx, id) => tx.updateGroupMember(id, 2, { role: GroupRole.ADMIN }),
    ofGroup,
    { role: GroupRole.ADMIN },
  ],
  ["a new name", "findUsers", (tx) => tx.updateUser(2, { nickName: "Zoe" }), ofBob, { name: "Zoe" }],
  [
    "a mute of which no event arrives, but the notice of an interruption,",
    "listGroupMembers",
    (tx, id) => tx.updateGroupMember(id, 2, { isMuted: true }),
    () => ({ kind: "interrupted", gapMs: 1 }),
    { isMuted: true },
  ],
])(
  "%s that arrives while the group is loading is seen by the next read",
  async (_, read, work, event, after) => {
    const { store, bus, groupId, find } = await createClimbers();
    const pausedRead = pauseRead(store, read);
    const loading = find();
    await pausedRead.reached;
    await store.write((tx) => work(tx, groupId));
    bus.publish(event(groupId));
    pausedRead.release();
    expect((await loading)?.members.get(2)).not.toMatchObject(after);
    expect((await find())?.members.get(2)).toMatchObject(after);
  },
);

test("groups are cached up to a number of members, and the oldest is evicted first", async () => {
  const { store, bus, groupId: first } = await createClimbers();
  const groups = [first];
  for (const size of [2, 1, 3]) {
    const { id } = await store.write(async (tx) => {
      const made = await tx.insertGroup(newGroup(1));
      for (let n = 1; n <= size; n++) await tx.upsertGroupMember(made.id, n, GroupRole.MEMBER, NOON);
      return made;
    });
    groups.push(id);
  }
  const [two, one, three] = groups.slice(1) as [number, number, number];
  const groupCache = createGroupCache({ store, bus, membersMax: 5 });
  const isCached = (id: number) => !(groupCache.find(id) instanceof Promise);
  for (const id of [first, two, one]) await groupCache.find(id);
  expect([first, two, one].map(isCached), "five members").toEqual([true, true, true]);
  await groupCache.find(three);
  expect([two, one, three].map(isCached)).toEqual([false, true, true]);
  bus.publish({ kind: "staleGroup", groupId: three });
  for (const id of [first, two]) await groupCache.find(id);
  expect([first, two, one].map(isCached), "an evicted group makes room").toEqual([true, true, true]);
  bus.publish({ kind: "interrupted", gapMs: 1 });
  expect(isCached(first), "the bus was interrupted").toBe(false);
  for (const id of [first, two, one]) await groupCache.find(id);
  expect([first, two, one].map(isCached), "all make room").toEqual([true, true, true]);
});

test("a member who joins while the group is loading is found by the next message before the invalidation arrives", async () => {
  const { store, groupId, find, send } = await createClimbers();
  const pausedRead = pauseRead(store, "listGroupMembers");
  const loading = find();
  await pausedRead.reached;
  await store.write((tx) => tx.upsertGroupMember(groupId, 3, GroupRole.MEMBER, NOON));
  const { memberChanges } = await send();
  pausedRead.release();
  expect((await loading)?.memberIds).toEqual([1, 2]);
  expect((await find(memberChanges))?.memberIds).toEqual([1, 2, 3]);
});
