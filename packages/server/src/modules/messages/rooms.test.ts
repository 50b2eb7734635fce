import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { GroupRole } from "@parley/protocol/codes";
import { expect, onTestFinished, test } from "vitest";
import { createMemoryBus } from "../../adapters/bus/memory.ts";
import { openStore } from "../../adapters/store/open.ts";
import { NOON, newUser } from "../../testing/contracts/store-fixtures.ts";
import { createRooms } from "./rooms.ts";

const noError = (error: unknown): never => {
  throw error;
};

test("who came or left before a message is found, though nobody was told of it yet", async () => {
  const path = await mkdtemp(join(tmpdir(), "parley-rooms-"));
  const store = await openStore({ url: join(path, "parley.sqlite"), onFatal: noError });
  onTestFinished(async () => {
    await store.close();
    await rm(path, { recursive: true, force: true });
  });
  const groupId = await store.write(async (tx) => {
    for (const name of ["Ann", "Bob", "Cyd"]) await tx.insertUser(newUser(name));
    const group = { name: "Climbers", ownerId: 1, headImage: null, headImageThumb: null, createdAt: NOON };
    const { id } = await tx.insertGroup(group);
    await tx.upsertGroupMember(id, 1, GroupRole.OWNER, NOON);
    await tx.upsertGroupMember(id, 2, GroupRole.MEMBER, NOON);
    return id;
  });
  const rooms = createRooms({ store, bus: createMemoryBus(noError) });
  const idsOf = async (memberChanges?: number) => (await rooms.find(groupId, memberChanges))?.memberIds;
  const send = () =>
    store.appendGroup({
      tmpId: null,
      type: 0,
      groupId,
      sendId: 1,
      sendNickName: "Ann",
      sendRole: GroupRole.OWNER,
      content: "text",
      sendTime: NOON,
    });
  expect(await idsOf()).toEqual([1, 2]);
  await store.write((tx) => tx.upsertGroupMember(groupId, 3, GroupRole.MEMBER, NOON));
  expect(await idsOf(), "remembered").toEqual([1, 2]);
  expect(await idsOf((await send()).memberChanges)).toEqual([1, 2, 3]);
  await store.write((tx) => tx.endGroupStay(groupId, 2));
  expect(await idsOf((await send()).memberChanges)).toEqual([1, 3]);
  expect(await idsOf(), "remembered since").toEqual([1, 3]);
  expect(rooms.find(groupId, (await send()).memberChanges), "at once").not.toBeInstanceOf(Promise);
});
