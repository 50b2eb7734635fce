import { expect, test } from "vitest";
import { FRIEND_CHAT, privateRow } from "../testing/builders.ts";
import { createFakeTabs } from "../testing/fake-tabs.ts";
import {
  answerLoginRequests,
  createSingleClient,
  createLoggedInClient,
  NO_CHANGES,
  advanceTime,
  pushedRow,
  reload,
  type SingleClient,
} from "../testing/single-client.ts";
import { delayReads } from "../testing/next-user.ts";
import { flushMicrotasks } from "../testing/flush-microtasks.ts";
import type { Database } from "../ports.ts";

const chats = (single: SingleClient) => single.client.getState().chats;
const ids = (single: SingleClient) =>
  chats(single).byKey[FRIEND_CHAT]?.window.messages.map((message) => message.id) ?? [];
const pullsOf = (single: SingleClient) => single.waiting().filter((url) => url.includes("private/pull"));

test.each([
  ["refused", (single: SingleClient) => (single.ports.storage.shouldRefuse = true)],
  ["deleted by the browser", (single: SingleClient) => single.ports.storage.deleteDatabases()],
])(
  "I13 storage that is %s is reported once, and the client continues in memory",
  async (_name, breakStorage) => {
    const single = await createLoggedInClient();
    breakStorage(single);
    await single.push(pushedRow(5));
    await advanceTime(single, 200);
    await single.push(pushedRow(6));
    await advanceTime(single, 200);
    expect(single.client.getState().storage).toBe("memory");
    expect(single.notices.filter((notice) => notice.kind === "storageRefused")).toHaveLength(1);
    expect(ids(single)).toEqual([5, 6]);
  },
);

test("I13 without storage from the start a login works, and older pages come from the server", async () => {
  const single = createSingleClient();
  single.ports.storage.shouldRefuse = true;
  const online = await createLoggedInClient({ storage: single.ports.storage });
  expect(online.client.getState().storage).toBe("memory");
  await online.push(...Array.from({ length: 70 }, (_, i) => pushedRow(i + 1)));
  online.client.chats.open(FRIEND_CHAT);
  online.client.chats.loadOlder(FRIEND_CHAT);
  await flushMicrotasks();
  await online.respond(
    "history",
    Array.from({ length: 10 }, (_, i) => privateRow({ id: 10 - i })),
  );
  expect(ids(online)).toHaveLength(70);
});

test("I40 rows that another tab saves while this one restores are pulled", async () => {
  const single = await createLoggedInClient();
  await single.push(pushedRow(5));
  await advanceTime(single, 200);
  const again = createSingleClient({ storage: single.ports.storage.tab(true), name: "again" });
  const release = delayReads(
    again.ports.storage,
    "parley-chats:https://im.example:1",
    (read) => read === "chats",
  );
  void again.client.session.resume();
  await flushMicrotasks();
  await single.push(pushedRow(6));
  await advanceTime(single, 200);
  await release();
  await again.goOnline();
  expect(pullsOf(again)).toEqual(["/message/private/pullOfflineMessage?minId=5"]);
  await again.push(pushedRow(6));
  await answerLoginRequests(again);
  await again.endPulls();
  again.client.chats.open(FRIEND_CHAT);
  await flushMicrotasks();
  expect(ids(again)).toEqual([5, 6]);
});

/** Stores a chat with two messages, an unsent one and a draft, changes the database with `corrupt`, and reloads. */
async function reloadAfter(corrupt: (database: Database) => Promise<void>): Promise<SingleClient> {
  const single = await createLoggedInClient();
  await single.push(pushedRow(5), pushedRow(6));
  single.client.chats.open(FRIEND_CHAT);
  single.client.chats.sendText(FRIEND_CHAT, "waits");
  single.client.chats.setDraft(FRIEND_CHAT, "half a");
  await advanceTime(single, 200);
  await corrupt(await single.ports.storage.open("parley-chats:https://im.example:1"));
  return reload(single);
}

const nonsense = "nonsense" as never;

test.each<[string, (database: Database) => Promise<void>]>([
  ["a message", (db) => db.write({ messages: [{ chatKey: FRIEND_CHAT, message: { id: 6 } as never }] })],
  ["a chat", (db) => db.write({ chats: [{ key: "PRIVATE:9", readId: nonsense }] })],
])(
  "I37 after %s in the database was malformed everything is pulled again, and drafts and outbox stay",
  async (_, corrupt) => {
    const again = await reloadAfter(corrupt);
    expect(again.client.getState().session.kind).toBe("active");
    expect(chats(again).byKey[FRIEND_CHAT]?.draft).toBe("half a");
    await again.goOnline();
    expect(again.waiting()).toContain("/message/private/pullOfflineMessage?minId=0");
    await again.push(pushedRow(5), pushedRow(6));
    await answerLoginRequests(again);
    await again.endPulls();
    expect(ids(again)).toEqual([5, 6, null]);
    expect(again.client.getState().storage).toBe("disk");
    await advanceTime(again, 200);
    expect(ids(await reload(again))).toEqual([5, 6, null]);
  },
);

test("I37 unsent deletions and read positions stay when everything is pulled again", async () => {
  const cleared = await reloadAfter((db) =>
    db.write({
      chats: [{ key: "PRIVATE:9", readId: nonsense }],
      values: {
        "unsentDeletion PRIVATE:2 5": { key: FRIEND_CHAT, ids: [5] },
        "unsentPosition PRIVATE:2 6": { key: FRIEND_CHAT, upTo: 6 },
      },
    }),
  );
  const again = await reload(cleared);
  await again.goOnline();
  await advanceTime(again, 500);
  expect(again.waiting()).toEqual(
    expect.arrayContaining([
      "/message/private/deleteMessage",
      "/message/private/readed?friendId=2&messageId=6",
    ]),
  );
});

test("I37 what was read and deleted without a confirmation still is when everything has been pulled again", async () => {
  const again = await reloadAfter((db) =>
    db.write({
      chats: [{ key: "PRIVATE:9", readId: nonsense }],
      values: {
        "unsentDeletion PRIVATE:2 5": { key: FRIEND_CHAT, ids: [5] },
        "unsentPosition PRIVATE:2 6": { key: FRIEND_CHAT, upTo: 6 },
      },
    }),
  );
  await again.goOnline();
  await answerLoginRequests(again);
  await again.push(pushedRow(5), pushedRow(6), pushedRow(7));
  await again.endPulls();
  expect(ids(again)).toEqual([6, 7, null]);
  expect(chats(again).byKey[FRIEND_CHAT]).toMatchObject({ readId: 6, unread: 1 });
});

test("I37 a tab that clears the database keeps what another one has not sent", async () => {
  const single = await createLoggedInClient();
  await single.push(pushedRow(5), pushedRow(6));
  await advanceTime(single, 200);
  const name = "parley-chats:https://im.example:1";
  await (await single.ports.storage.open(name)).write({ chats: [{ key: "PRIVATE:9", readId: nonsense }] });
  const other = createSingleClient({ storage: single.ports.storage.tab(true), name: "other" });
  const release = delayReads(other.ports.storage, name, (read) => read === "chats");
  void other.client.session.resume();
  await flushMicrotasks();
  // This tab is closed before it hears of the clearing.
  void single.client.chats.deleteForMe(FRIEND_CHAT, [5]);
  single.client.chats.markReadUpTo(FRIEND_CHAT, 6);
  await advanceTime(single, 200);
  await release();
  await flushMicrotasks();
  await advanceTime(other, 200);
  const last = await reload(other);
  await last.goOnline();
  await advanceTime(last, 500);
  expect(last.waiting()).toEqual(
    expect.arrayContaining([
      "/message/private/deleteMessage",
      "/message/private/readed?friendId=2&messageId=6",
    ]),
  );
});

test("I102 a tab that clears a malformed database tells the other tabs, which load their messages again", async () => {
  const device = createFakeTabs();
  const single = await createLoggedInClient({ device });
  await single.push(pushedRow(5), pushedRow(6));
  single.client.chats.open(FRIEND_CHAT);
  single.client.chats.sendText(FRIEND_CHAT, "waits");
  await advanceTime(single, 200);
  const broken = { chats: [{ key: "PRIVATE:9", readId: nonsense } as const] };
  await (await single.ports.storage.open("parley-chats:https://im.example:1")).write(broken);
  single.ports.http.waiting.splice(0);
  // This row is not written yet and belongs to the data that is cleared now.
  await single.push(pushedRow(7));

  const other = createSingleClient({ storage: single.ports.storage.tab(true), device, name: "other" });
  await other.client.session.resume();
  await flushMicrotasks();
  expect(ids(single)).toEqual([null]);
  expect(pullsOf(single)).toEqual(["/message/private/pullOfflineMessage?minId=0"]);
  await single.push(pushedRow(5), pushedRow(6), pushedRow(7));
  await single.respond("private/pull", null);
  await single.respond("/user/changes", { ...NO_CHANGES });
  await single.endPulls();
  expect(ids(single)).toEqual([5, 6, 7, null]);
  expect(single.client.getState().storage).toBe("disk");
  expect(ids(await reload(single))).toEqual([5, 6, 7, null]);
});

test("I102 a tab that reads the database while another one clears it pulls everything as well", async () => {
  const device = createFakeTabs();
  const single = await createLoggedInClient({ device });
  await single.push(pushedRow(5));
  await advanceTime(single, 200);
  const again = createSingleClient({ storage: single.ports.storage.tab(true), device, name: "again" });
  const release = delayReads(
    again.ports.storage,
    "parley-chats:https://im.example:1",
    (read) => read === "chats",
  );
  void again.client.session.resume();
  await flushMicrotasks();
  device.tab().broadcast({ kind: "databaseCleared", userId: 1 });
  await release();
  await again.goOnline();
  expect(pullsOf(again)).toEqual(["/message/private/pullOfflineMessage?minId=0"]);
  expect(chats(again).order).toEqual([]);
});

test("I37 a malformed outbox entry is dropped and the others stay", async () => {
  const again = await reloadAfter((db) => db.write({ outbox: [{ tmpId: nonsense } as never] }));
  expect(ids(again)).toEqual([5, 6, null]);
  await advanceTime(again, 200);
  const database = await again.ports.storage.open("parley-chats:https://im.example:1");
  expect((await database.outbox()).map(({ content }) => content)).toEqual(["waits"]);
});
