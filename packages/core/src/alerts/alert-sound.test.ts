import { expect, test } from "vitest";
import { Cmd, MessageType } from "@parley/protocol/codes";
import { FRIEND_CHAT, groupRow } from "../testing/builders.ts";
import { clockOf } from "../testing/fake-ports.ts";
import { createFakeTabs } from "../testing/fake-tabs.ts";
import { createLoggedInClient, advanceTime, pushedRow } from "../testing/single-client.ts";
import { createMemoryStorage } from "../testing/memory-storage.ts";
import { flushMicrotasks } from "../testing/flush-microtasks.ts";

test.each([
  ["with a database", false],
  ["without a database", true],
])("A6 many messages sound at most once per second, in one tab, %s", async (_, shouldRefuse) => {
  const [device, storage] = [createFakeTabs(), createMemoryStorage()];
  const otherStorage = storage.tab(false);
  Object.assign(storage, { shouldRefuse });
  Object.assign(otherStorage, { shouldRefuse });
  const single = await createLoggedInClient({ device, storage });
  const other = await createLoggedInClient({ device, storage: otherStorage });
  await single.push(pushedRow(1), pushedRow(2));
  await other.push(pushedRow(1), pushedRow(2));
  expect([single.ports.sounds.length, other.ports.sounds.length]).toEqual([1, 0]);
  await advanceTime(single, 999);
  await single.push(pushedRow(3));
  expect(single.ports.sounds).toHaveLength(1);
  await advanceTime(single, 1);
  clockOf(other.ports).advance(1_000);
  await flushMicrotasks();
  await single.push(pushedRow(4));
  expect(single.ports.sounds).toHaveLength(2);
});

test("A12 a message that sounded in one tab stays silent in another, however late that tab receives it", async () => {
  const [device, storage] = [createFakeTabs(), createMemoryStorage()];
  const single = await createLoggedInClient({ device, storage });
  const lateTab = await createLoggedInClient({ device, storage: storage.tab(false) });
  await single.push(pushedRow(1), pushedRow(2));
  for (const tab of [single, lateTab]) await advanceTime(tab, 5_000);
  await lateTab.push(pushedRow(1), pushedRow(2));
  expect([single.ports.sounds.length, lateTab.ports.sounds.length]).toEqual([1, 0]);
  await lateTab.push(pushedRow(3));
  expect(lateTab.ports.sounds).toHaveLength(1);
});

test("A12 a tab sounds after a slow tab that had its turn first and did not sound", async () => {
  const device = createFakeTabs();
  const single = await createLoggedInClient({ device });
  let giveUp: () => void = () => undefined;
  const slowTurn = device
    .tab()
    .exclusive("parley.sound", () => new Promise<void>((resolve) => (giveUp = resolve)));
  await flushMicrotasks();
  await single.push(pushedRow(1));
  await advanceTime(single, 5_000);
  expect(single.ports.sounds).toHaveLength(0);
  giveUp();
  await slowTurn;
  await flushMicrotasks();
  expect(single.ports.sounds).toHaveLength(1);
});

test("A12 a tab that the browser does not allow to sound leaves the sound to another tab", async () => {
  const device = createFakeTabs();
  const untouched = await createLoggedInClient({ device });
  const single = await createLoggedInClient({ device });
  untouched.ports.isMute = true;
  await untouched.push(pushedRow(1));
  await single.push(pushedRow(1));
  expect(single.ports.sounds).toHaveLength(1);
});

test("A6 a sound that fails is logged, and the next message sounds", async () => {
  const single = await createLoggedInClient();
  const { play } = single.ports.sound;
  single.ports.sound.play = async () => {
    throw new Error("the device is gone");
  };
  await single.push(pushedRow(1));
  expect(single.ports.warnings).toEqual(["cannot play the alert sound"]);
  single.ports.sound.play = play;
  await single.push(pushedRow(2));
  expect(single.ports.sounds).toHaveLength(1);
});

test("A10 a nudge sounds and notifies unless its chat is muted", async () => {
  const single = await createLoggedInClient();
  const notifiedChats: string[] = [];
  single.client.onNotice((notice) => notice.kind === "nudge" && notifiedChats.push(notice.key));
  await single.push(pushedRow(1, { type: MessageType.SHAKE, content: "" }));
  await advanceTime(single, 1_000);
  expect([notifiedChats, single.ports.sounds.length]).toEqual([[FRIEND_CHAT], 1]);
  void single.client.chats.setAlerts(FRIEND_CHAT, 0);
  await single.push(pushedRow(2, { type: MessageType.SHAKE, content: "" }));
  await advanceTime(single, 1_000);
  expect([notifiedChats, single.ports.sounds.length]).toEqual([[FRIEND_CHAT], 1]);
});

test("A10 a nudge in a group notifies and does not sound", async () => {
  const single = await createLoggedInClient();
  const notifiedChats: string[] = [];
  single.client.onNotice((notice) => notice.kind === "nudge" && notifiedChats.push(notice.key));
  const row = groupRow({ id: 1, type: MessageType.SHAKE, content: "" });
  await single.push({ cmd: Cmd.GROUP, data: row });
  await advanceTime(single, 1_000);
  expect([notifiedChats, single.ports.sounds.length]).toEqual([[`GROUP:${row.groupId}`], 0]);
});
