import { expect, test } from "vitest";
import { Code } from "@parley/protocol/codes";
import { isArchived, isMarkedUnread } from "../model/chats/chat-prefs.ts";
import { FRIEND, FRIEND_CHAT, ME } from "../testing/builders.ts";
import { bodyOf } from "../testing/fake-http.ts";
import { createFakeTabs } from "../testing/fake-tabs.ts";
import { flushMicrotasks } from "../testing/flush-microtasks.ts";
import {
  advanceTime,
  createLoggedInClient,
  createSingleClient,
  NO_CHANGES,
  pushedRow,
  reload,
  type SingleClient,
} from "../testing/single-client.ts";

const PREFS = "/chat/prefs";
const CHANGED = { cmd: 3, data: { type: 82, sendId: ME, recvId: ME, content: "" } };
const chatOf = ({ client }: SingleClient) => client.getState().chats.byKey[FRIEND_CHAT];
const isMarked = (single: SingleClient) =>
  isMarkedUnread(single.client.getState(), chatOf(single) ?? expect.fail());
const bodies = (single: SingleClient) =>
  single.ports.http.waiting
    .filter(({ request }) => request.url.includes(PREFS))
    .map(({ request }) => bodyOf(request));
const sets = (unreadMark: number | null) => ({ type: "PRIVATE", targetId: FRIEND, set: { unreadMark } });
const answer = (v: number, unreadMark: number | null) => ({ v, prefs: { unreadMark } });
const fed = (v: number, unreadMark: number | null) => ({
  ...NO_CHANGES,
  prefs: [{ type: "PRIVATE", targetId: FRIEND, ...answer(v, unreadMark) }],
});

const isInArchive = (single: SingleClient) =>
  isArchived(single.client.getState(), chatOf(single) ?? expect.fail());
const archives = (archived: number | null) => ({ type: "PRIVATE", targetId: FRIEND, set: { archived } });

/** A client with a chat that is read. */
async function createReader(options = {}): Promise<SingleClient> {
  const single = await createLoggedInClient(options);
  await single.push(pushedRow(5));
  single.client.chats.markRead(FRIEND_CHAT);
  await advanceTime(single, 600);
  await single.respond("/readed", null);
  return single;
}

test("CP2 M54 a mark is shown at once and in no count, and the answer confirms it", async () => {
  const single = await createReader();
  expect(isMarked(single)).toBe(false);
  single.client.chats.markUnread(FRIEND_CHAT);
  expect(isMarked(single)).toBe(true);
  expect(chatOf(single)?.unread).toBe(0);
  expect(bodies(single)).toEqual([sets(5)]);
  await single.respond(PREFS, answer(3, 5));
  expect(single.client.getState().unsentPrefs).toEqual({});
  expect(isMarked(single)).toBe(true);
});

test.each([
  ["opening", (single: SingleClient) => single.client.chats.open(FRIEND_CHAT)],
  ["marking as read", (single: SingleClient) => single.client.chats.markRead(FRIEND_CHAT)],
  ["removing", (single: SingleClient) => single.client.chats.remove(FRIEND_CHAT)],
])("M54 a mark is removed by %s, and nothing is sent without one", async (_, act) => {
  const single = await createReader();
  act(single);
  expect(bodies(single)).toEqual([]);
  single.client.chats.closeOpen();
  single.client.chats.markUnread(FRIEND_CHAT);
  await single.respond(PREFS, answer(3, 5));
  act(single);
  expect(isMarked(single)).toBe(false);
  expect(bodies(single)).toEqual([sets(null)]);
  await single.respond(PREFS, answer(4, null));
  expect(isMarked(single)).toBe(false);
});

test("CP3 M54 reading a later message ends a mark without a call", async () => {
  const single = await createReader();
  single.client.chats.markUnread(FRIEND_CHAT);
  await single.respond(PREFS, answer(3, 5));
  await single.push(pushedRow(6));
  expect(isMarked(single)).toBe(true);
  single.client.chats.markRead(FRIEND_CHAT);
  expect(isMarked(single)).toBe(false);
  expect(bodies(single)).toEqual([]);
});

test("CP2 a refusal undoes a mark and is told", async () => {
  const single = await createReader();
  single.client.chats.markUnread(FRIEND_CHAT);
  await single.respond(PREFS, null, Code.REFUSED);
  expect(single.notices.filter(({ kind }) => kind === "failure")).toMatchObject([
    { failure: { kind: "refused" } },
  ]);
  expect(isMarked(single)).toBe(false);
  expect(single.client.getState().unsentPrefs).toEqual({});
});

test("CP2 offline, only the last value is sent, once, also after a reload", async () => {
  const single = await createReader();
  single.ports.environment.set({ hasNetwork: false });
  single.client.chats.markUnread(FRIEND_CHAT);
  single.client.chats.markRead(FRIEND_CHAT);
  single.client.chats.markUnread(FRIEND_CHAT);
  await flushMicrotasks();
  expect(bodies(single)).toEqual([]);
  const again = await reload(single);
  expect(isMarked(again)).toBe(true);
  await again.goOnline();
  expect(bodies(again)).toEqual([sets(5)]);
});

test("CP1 the feed brings what another device has set, and a late answer does not undo it", async () => {
  const single = await createReader();
  single.client.chats.markUnread(FRIEND_CHAT);
  await single.push(CHANGED);
  // The other device has removed the mark between the write and the answer.
  await single.respond("/user/changes", fed(4, null));
  await single.respond(PREFS, answer(3, 5));
  expect(isMarked(single)).toBe(false);
  await single.push(CHANGED);
  await single.respond("/user/changes", fed(5, 5));
  expect(isMarked(single)).toBe(true);
  await advanceTime(single, 200);
  expect(isMarked(await reload(single))).toBe(true);
});

test("CP2 other tabs show what is set before the server knows it, and send it too", async () => {
  const device = createFakeTabs();
  const single = await createReader({ device });
  await advanceTime(single, 200);
  const storage = single.ports.storage.tab(true);
  const other = createSingleClient({ device, storage, name: "other" });
  await other.client.session.resume();
  await flushMicrotasks();
  single.ports.environment.set({ hasNetwork: false });
  single.client.chats.markUnread(FRIEND_CHAT);
  expect(isMarked(other)).toBe(true);
  expect(bodies(other)).toEqual([sets(5)]);
  single.client.chats.markRead(FRIEND_CHAT);
  expect(isMarked(other)).toBe(false);
  await other.respond(PREFS, answer(3, 5));
  expect(bodies(other)).toEqual([sets(null)]);
  await other.respond(PREFS, answer(4, null));
  expect(isMarked(other)).toBe(false);
});

test("CP2 in another database of the server a mark is neither shown nor sent", async () => {
  const single = await createReader();
  single.ports.environment.set({ hasNetwork: false });
  single.client.chats.markUnread(FRIEND_CHAT);
  const again = await reload(single);
  expect(again.client.getState().unsentPrefs).not.toEqual({});
  await again.goOnline("epoch 2");
  expect(again.client.getState().unsentPrefs).toEqual({});
});

test("CP4 a mark that version 0.1.0 stored on this device is set once", async () => {
  const single = await createReader();
  await advanceTime(single, 200);
  const database = await single.ports.storage.open(`parley-chats:${single.ports.environment.origin}:${ME}`);
  const [stored] = await database.chats();
  await database.write({ chats: [{ ...(stored ?? expect.fail()), isMarkedUnread: true }] });
  const again = await reload(single);
  expect(isMarked(again)).toBe(true);
  await again.goOnline();
  expect(bodies(again)).toEqual([sets(5)]);
  await again.respond(PREFS, answer(3, 5));
  again.client.chats.markRead(FRIEND_CHAT);
  await again.respond(PREFS, answer(4, null));
  await advanceTime(again, 200);
  const last = await reload(again);
  expect(isMarked(last)).toBe(false);
  expect(last.client.getState().unsentPrefs).toEqual({});
});

test("CP5 archiving is shown at once, reads nothing, and is taken back in the same way", async () => {
  const single = await createReader();
  await single.push(pushedRow(6));
  single.client.chats.setArchived(FRIEND_CHAT, true);
  expect(isInArchive(single)).toBe(true);
  expect(chatOf(single)).toMatchObject({ unread: 1, readId: 5 });
  expect(bodies(single)).toEqual([archives(6)]);
  await single.respond(PREFS, { v: 3, prefs: { archived: 6 } });
  await advanceTime(single, 600);
  expect(single.waiting()).toEqual([]);
  single.client.chats.setArchived(FRIEND_CHAT, false);
  expect(isInArchive(single)).toBe(false);
  expect(bodies(single)).toEqual([archives(null)]);
});

test.each([
  [
    "reading",
    (single: SingleClient) =>
      single.client.chats.markReadUpTo(FRIEND_CHAT, chatOf(single)?.sync.newest?.id ?? 0),
  ],
  ["marking as read", (single: SingleClient) => single.client.chats.markRead(FRIEND_CHAT)],
  ["muting", (single: SingleClient) => void single.client.chats.setAlerts(FRIEND_CHAT, 0)],
])("CP10 a chat that a message has brought back stays in the list after %s", async (_, act) => {
  const single = await createReader();
  single.client.chats.setArchived(FRIEND_CHAT, true);
  await single.respond(PREFS, { v: 3, prefs: { archived: 5 } });
  act(single);
  expect(isInArchive(single)).toBe(true);
  expect(bodies(single)).toEqual([]);
  void single.client.chats.setAlerts(FRIEND_CHAT, 1);
  await single.push(pushedRow(6));
  expect(isInArchive(single)).toBe(false);
  act(single);
  expect(isInArchive(single)).toBe(false);
  expect(bodies(single)).toEqual([archives(null)]);
});

test("CP2 a mark and the archive are set beside each other, also without a network", async () => {
  const single = await createReader();
  single.ports.environment.set({ hasNetwork: false });
  single.client.chats.setArchived(FRIEND_CHAT, true);
  single.client.chats.markUnread(FRIEND_CHAT);
  const again = await reload(single);
  expect([isInArchive(again), isMarked(again)]).toEqual([true, true]);
  await again.goOnline();
  await again.respond(PREFS, { v: 3, prefs: { archived: 5 } });
  expect([isInArchive(again), isMarked(again)]).toEqual([true, true]);
});
