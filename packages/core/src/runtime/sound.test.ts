import { expect, test } from "vitest";
import { Cmd, MessageType } from "@parley/protocol/codes";
import { FRIEND_CHAT, groupRow } from "../testing/builders.ts";
import { clockOf } from "../testing/fake-ports.ts";
import { createFakeDevice } from "../testing/fake-tabs.ts";
import { loggedIn, pass, pushed } from "../testing/logged-in.ts";
import { createMemoryStorage } from "../testing/memory-storage.ts";
import { settle } from "../testing/settle.ts";

test("A6 many messages sound once per second, in one tab", async () => {
  const device = createFakeDevice();
  const solo = await loggedIn({ device });
  const other = await loggedIn({ device });
  await solo.push(pushed(1), pushed(2));
  await other.push(pushed(1), pushed(2));
  expect([solo.ports.sounds.length, other.ports.sounds.length]).toEqual([1, 0]);
  await pass(solo, 999);
  await solo.push(pushed(3));
  expect(solo.ports.sounds).toHaveLength(1);
  await pass(solo, 1);
  clockOf(other.ports).advance(1_000);
  await settle();
  await solo.push(pushed(4));
  expect(solo.ports.sounds).toHaveLength(2);
});

test("A12 what one tab has sounded for sounds in no other, however late that one comes to it", async () => {
  const [device, storage] = [createFakeDevice(), createMemoryStorage()];
  const solo = await loggedIn({ device, storage });
  const late = await loggedIn({ device, storage: storage.tab(false) });
  await solo.push(pushed(1), pushed(2));
  for (const tab of [solo, late]) await pass(tab, 5_000);
  await late.push(pushed(1), pushed(2));
  expect([solo.ports.sounds.length, late.ports.sounds.length]).toEqual([1, 0]);
  await late.push(pushed(3));
  expect(late.ports.sounds).toHaveLength(1);
});

test("A12 a tab that may not sound yet leaves it to another", async () => {
  const device = createFakeDevice();
  const untouched = await loggedIn({ device });
  const solo = await loggedIn({ device });
  untouched.ports.isMute = true;
  await untouched.push(pushed(1));
  await solo.push(pushed(1));
  expect(solo.ports.sounds).toHaveLength(1);
});

test("A6 a sound that fails is told in the log, and the next message sounds", async () => {
  const solo = await loggedIn();
  const { play } = solo.ports.sound;
  solo.ports.sound.play = async () => {
    throw new Error("the device is gone");
  };
  await solo.push(pushed(1));
  expect(solo.ports.warnings).toEqual(["a message came without its sound"]);
  solo.ports.sound.play = play;
  await solo.push(pushed(2));
  expect(solo.ports.sounds).toHaveLength(1);
});

test("A10 a shake sounds and is told, unless its chat is muted", async () => {
  const solo = await loggedIn();
  const told: string[] = [];
  solo.client.onNotice((notice) => notice.kind === "shake" && told.push(notice.key));
  await solo.push(pushed(1, { type: MessageType.SHAKE, content: "" }));
  await pass(solo, 1_000);
  expect([told, solo.ports.sounds.length]).toEqual([[FRIEND_CHAT], 1]);
  void solo.client.chats.setRemind(FRIEND_CHAT, 0);
  await solo.push(pushed(2, { type: MessageType.SHAKE, content: "" }));
  await pass(solo, 1_000);
  expect([told, solo.ports.sounds.length]).toEqual([[FRIEND_CHAT], 1]);
});

test("A10 a shake in a group shakes and does not sound", async () => {
  const solo = await loggedIn();
  const told: string[] = [];
  solo.client.onNotice((notice) => notice.kind === "shake" && told.push(notice.key));
  const row = groupRow({ id: 1, type: MessageType.SHAKE, content: "" });
  await solo.push({ cmd: Cmd.GROUP, data: row });
  await pass(solo, 1_000);
  expect([told, solo.ports.sounds.length]).toEqual([[`GROUP:${row.groupId}`], 0]);
});
