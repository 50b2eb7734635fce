import { expect, test } from "vitest";
import { FRIEND_CHAT, privateRow } from "../testing/builders.ts";
import { createFakeDevice } from "../testing/fake-tabs.ts";
import {
  answerStart,
  createSolo,
  loggedIn,
  NO_CHANGES,
  pass,
  pushed,
  reloaded,
  type Solo,
} from "../testing/logged-in.ts";
import { readLate } from "../testing/next-person.ts";
import { settle } from "../testing/settle.ts";
import type { Database } from "./ports.ts";

const chats = (solo: Solo) => solo.client.getState().chats;
const ids = (solo: Solo) =>
  chats(solo).byKey[FRIEND_CHAT]?.window.messages.map((message) => message.id) ?? [];
const pullsOf = (solo: Solo) => solo.waiting().filter((url) => url.includes("private/pull"));

test.each([
  ["refused", (solo: Solo) => (solo.ports.storage.refuse = true)],
  ["thrown away", (solo: Solo) => solo.ports.storage.throwAway()],
])("I13 storage that is %s is said once, and everything goes on in memory", async (_name, break_) => {
  const solo = await loggedIn();
  break_(solo);
  await solo.push(pushed(5));
  await pass(solo, 200);
  await solo.push(pushed(6));
  await pass(solo, 200);
  expect(solo.client.getState().storage).toBe("memory");
  expect(solo.notices.filter((notice) => notice.kind === "storageRefused")).toHaveLength(1);
  expect(ids(solo)).toEqual([5, 6]);
});

test("I13 without storage from the start a login works all the same, and older pages come from the server", async () => {
  const solo = createSolo();
  solo.ports.storage.refuse = true;
  const online = await loggedIn({ storage: solo.ports.storage });
  expect(online.client.getState().storage).toBe("memory");
  await online.push(...Array.from({ length: 70 }, (_, i) => pushed(i + 1)));
  online.client.chats.open(FRIEND_CHAT);
  online.client.chats.loadOlder(FRIEND_CHAT);
  await settle();
  await online.reply(
    "history",
    Array.from({ length: 10 }, (_, i) => privateRow({ id: 10 - i })),
  );
  expect(ids(online)).toHaveLength(70);
});

test("I40 what another tab writes while this one reads the disk is pulled", async () => {
  const solo = await loggedIn();
  await solo.push(pushed(5));
  await pass(solo, 200);
  const again = createSolo({ storage: solo.ports.storage.tab(true), name: "again" });
  const release = readLate(again.ports.storage, "parley:https://im.example:1", (read) => read === "chats");
  void again.client.session.resume();
  await settle();
  await solo.push(pushed(6));
  await pass(solo, 200);
  await release();
  await again.goOnline();
  expect(pullsOf(again)).toEqual(["/message/private/pullOfflineMessage?minId=5"]);
  await again.push(pushed(6));
  await answerStart(again);
  await again.endPulls();
  again.client.chats.open(FRIEND_CHAT);
  await settle();
  expect(ids(again)).toEqual([5, 6]);
});

/** A friend's chat on the disk with three rows, one of them mine that waits, and a draft; then a reload. */
async function reloadedAfter(plant: (database: Database) => Promise<void>): Promise<Solo> {
  const solo = await loggedIn();
  await solo.push(pushed(5), pushed(6));
  solo.client.chats.open(FRIEND_CHAT);
  solo.client.chats.sendText(FRIEND_CHAT, "waits");
  solo.client.chats.setDraft(FRIEND_CHAT, "half a");
  await pass(solo, 200);
  await plant(await solo.ports.storage.open("parley:https://im.example:1"));
  return reloaded(solo);
}

const nonsense = "nonsense" as never;

test.each<[string, (database: Database) => Promise<void>]>([
  ["a message", (db) => db.write({ messages: [{ chatKey: FRIEND_CHAT, message: { id: 6 } as never }] })],
  ["a chat", (db) => db.write({ chats: [{ key: "PRIVATE:9", readId: nonsense }] })],
])("I37 %s on the disk that makes no sense: all is pulled anew, drafts and outbox stay", async (_, plant) => {
  const again = await reloadedAfter(plant);
  expect(again.client.getState().session.kind).toBe("active");
  expect(chats(again).byKey[FRIEND_CHAT]?.draft).toBe("half a");
  await again.goOnline();
  expect(again.waiting()).toContain("/message/private/pullOfflineMessage?minId=0");
  await again.push(pushed(5), pushed(6));
  await answerStart(again);
  await again.endPulls();
  expect(ids(again)).toEqual([5, 6, null]);
  expect(again.client.getState().storage).toBe("disk");
  await pass(again, 200);
  expect(ids(await reloaded(again))).toEqual([5, 6, null]);
});

test("I102 a tab that clears a disk that makes no sense tells the others, which load anew what they believed to be there", async () => {
  const device = createFakeDevice();
  const solo = await loggedIn({ device });
  await solo.push(pushed(5), pushed(6));
  solo.client.chats.open(FRIEND_CHAT);
  solo.client.chats.sendText(FRIEND_CHAT, "waits");
  await pass(solo, 200);
  const broken = { chats: [{ key: "PRIVATE:9", readId: nonsense } as const] };
  await (await solo.ports.storage.open("parley:https://im.example:1")).write(broken);
  solo.ports.http.waiting.splice(0);
  // Not written yet, and of what is cleared now.
  await solo.push(pushed(7));

  const other = createSolo({ storage: solo.ports.storage.tab(true), device, name: "other" });
  await other.client.session.resume();
  await settle();
  expect(ids(solo)).toEqual([null]);
  expect(pullsOf(solo)).toEqual(["/message/private/pullOfflineMessage?minId=0"]);
  await solo.push(pushed(5), pushed(6), pushed(7));
  await solo.reply("private/pull", null);
  await solo.reply("/user/changes", { ...NO_CHANGES });
  await solo.endPulls();
  expect(ids(solo)).toEqual([5, 6, 7, null]);
  expect(solo.client.getState().storage).toBe("disk");
  expect(ids(await reloaded(solo))).toEqual([5, 6, 7, null]);
});

test("I102 a tab that reads the disk while another one clears it pulls everything as well", async () => {
  const device = createFakeDevice();
  const solo = await loggedIn({ device });
  await solo.push(pushed(5));
  await pass(solo, 200);
  const again = createSolo({ storage: solo.ports.storage.tab(true), device, name: "again" });
  const release = readLate(again.ports.storage, "parley:https://im.example:1", (read) => read === "chats");
  void again.client.session.resume();
  await settle();
  device.tab().tell({ kind: "diskCleared", userId: 1 });
  await release();
  await again.goOnline();
  expect(pullsOf(again)).toEqual(["/message/private/pullOfflineMessage?minId=0"]);
  expect(chats(again).order).toEqual([]);
});

test("I37 an entry of the outbox that makes no sense is dropped, the others go out", async () => {
  const again = await reloadedAfter((db) => db.write({ outbox: [{ tmpId: nonsense } as never] }));
  expect(ids(again)).toEqual([5, 6, null]);
  await pass(again, 200);
  const database = await again.ports.storage.open("parley:https://im.example:1");
  expect((await database.outbox()).map(({ content }) => content)).toEqual(["waits"]);
});
