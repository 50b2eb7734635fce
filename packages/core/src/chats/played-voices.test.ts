import { expect, test } from "vitest";
import { FRIEND_CHAT, ME, privateRow } from "../testing/builders.ts";
import { clockOf } from "../testing/fake-ports.ts";
import { createFakeTabs } from "../testing/fake-tabs.ts";
import { flushMicrotasks } from "../testing/flush-microtasks.ts";
import { createLoggedInClient, createSingleClient, type SingleClient } from "../testing/single-client.ts";

const PLAYED = { [FRIEND_CHAT]: { upTo: -1, ids: [5] } };
const playedOf = ({ client }: SingleClient) => client.getState().played;

async function openTab(single: SingleClient, device = createFakeTabs()): Promise<SingleClient> {
  const again = createSingleClient({ storage: single.ports.storage.tab(true), name: "again", device });
  await again.client.session.resume();
  return again;
}

async function writeDatabase(single: SingleClient) {
  clockOf(single.ports).advance(200);
  await flushMicrotasks();
}

test("U61 what was played is known in the other tabs and after a reload", async () => {
  const device = createFakeTabs();
  const single = await createLoggedInClient({ device });
  const other = await openTab(single, device);
  other.client.chats.markPlayed(FRIEND_CHAT, 5);
  expect([playedOf(single), playedOf(other)]).toEqual([PLAYED, PLAYED]);
  await writeDatabase(single);
  await writeDatabase(other);
  expect(playedOf(await openTab(single))).toEqual(PLAYED);
});

test("U63 what was played stays when the messages are loaded again, and not for another database", async () => {
  const device = createFakeTabs();
  const single = await createLoggedInClient({ device });
  await single.push({ cmd: 3, data: privateRow({ id: 5 }) });
  single.client.chats.markPlayed(FRIEND_CHAT, 5);
  await writeDatabase(single);
  // Another tab has found the database malformed, and has cleared it.
  await (await single.ports.storage.open("parley-chats:https://im.example:1")).write({ clearMessages: true });
  device.tab().broadcast({ kind: "databaseCleared", userId: ME });
  await writeDatabase(single);
  expect(playedOf(single)).toEqual(PLAYED);
  expect(playedOf(await openTab(single))).toEqual(PLAYED);
  single.ports.sockets.last().close(1006);
  clockOf(single.ports).advance(15_000);
  await flushMicrotasks();
  await single.goOnline("epoch 2");
  await writeDatabase(single);
  expect(playedOf(single)).toEqual({});
  expect(playedOf(await openTab(single))).toEqual({});
});
