import { expect, test } from "vitest";
import { Code } from "@parley/protocol/codes";
import { isSaved, savedItems } from "../model/chats/saved-messages.ts";
import { FRIEND, FRIEND_CHAT, ME, privateRow } from "../testing/builders.ts";
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

const SAVED = "/message/saved";
const CHANGED = { cmd: 3, data: { type: 82, sendId: ME, recvId: ME, content: "" } };
const WORDS = { note: "for Monday", tags: ["work"] };
const ref = (id: number, part = {}) => ({
  type: "PRIVATE",
  targetId: FRIEND,
  at: 100 + id,
  note: "",
  tags: [],
  ...part,
});
const answer = (id: number, v: number, part = {}, content = `text ${id}`) => ({
  id,
  v,
  saved: ref(id, part),
  message: privateRow({ id, content }),
});
const fed = (...saved: object[]) => ({ ...NO_CHANGES, saved });
const calls = (single: SingleClient) =>
  single.ports.http.waiting
    .filter(({ request }) => request.url.includes(SAVED))
    .map(({ request }) => [request.method, request.method === "PUT" ? bodyOf(request) : null]);
const shown = (single: SingleClient) =>
  savedItems(single.client.getState()).map(({ id, note, message }) => [id, note, message?.content]);
const save = (single: SingleClient, id: number, words = WORDS) =>
  single.client.chats.save(FRIEND_CHAT, id, words);

/** A client that shows a chat with the message 5. */
async function createReader(options = {}): Promise<SingleClient> {
  const single = await createLoggedInClient(options);
  await single.push(pushedRow(5));
  return single;
}

test("SV2 SV4 a message shows as saved at once, with its words, and the answer confirms it", async () => {
  const single = await createReader();
  save(single, 5);
  expect(isSaved(single.client.getState(), 5)).toBe(true);
  expect(shown(single)).toEqual([[5, "for Monday", "text 5"]]);
  expect(calls(single)).toEqual([["PUT", { id: 5, ...WORDS }]]);
  await single.respond(SAVED, answer(5, 3, WORDS));
  expect(single.client.getState().unsentSaves).toEqual({});
  expect(shown(single)).toEqual([[5, "for Monday", "text 5"]]);
  // The answer had the message, so no page is asked for.
  expect(calls(single)).toEqual([]);
  single.client.chats.removeSaved(FRIEND_CHAT, 5);
  expect(shown(single)).toEqual([]);
  expect(calls(single)).toEqual([["DELETE", null]]);
  await single.respond(SAVED, { id: 5, v: 4, saved: null });
  expect(isSaved(single.client.getState(), 5)).toBe(false);
  expect(single.client.getState().savedCopies).toEqual({});
});

test("SV2 SV3 a refusal undoes it and is told, and no copy stays", async () => {
  const single = await createReader();
  save(single, 5);
  await single.respond(SAVED, null, Code.REFUSED);
  expect(single.notices.filter(({ kind }) => kind === "failure")).toMatchObject([
    { failure: { kind: "refused" } },
  ]);
  expect(shown(single)).toEqual([]);
  expect(single.client.getState().savedCopies).toEqual({});
});

test("SV2 SV4 offline, the last state is sent once, also after a reload, and its copy is there", async () => {
  const single = await createReader();
  single.ports.environment.set({ hasNetwork: false });
  save(single, 5, { note: "first", tags: [] });
  single.client.chats.removeSaved(FRIEND_CHAT, 5);
  save(single, 5);
  await flushMicrotasks();
  expect(calls(single)).toEqual([]);
  const again = await reload(single);
  await again.client.chats.loadSaved();
  expect(shown(again)).toEqual([[5, "for Monday", "text 5"]]);
  await again.goOnline();
  expect(calls(again)).toEqual([["PUT", { id: 5, ...WORDS }]]);
});

test("SV2 SV4 the feed brings what another device has saved, and pages bring the copies", async () => {
  const single = await createReader();
  await single.push(CHANGED);
  await single.respond("/user/changes", fed({ id: 5, v: 3, saved: ref(5) }, { id: 4, v: 4, saved: ref(4) }));
  expect(shown(single)).toEqual([
    [5, "", undefined],
    [4, "", undefined],
  ]);
  expect(single.waiting().filter((path) => path.startsWith(SAVED))).toEqual([SAVED]);
  await single.respond(SAVED, { entries: [answer(4, 4)], next: 4 });
  expect(single.waiting().filter((path) => path.startsWith(SAVED))).toEqual([`${SAVED}?before=4`]);
  await single.respond(SAVED, { entries: [answer(5, 3)], next: null });
  expect(shown(single)).toEqual([
    [5, "", "text 5"],
    [4, "", "text 4"],
  ]);
  // What is known is not asked for again, also after a reload without a connection.
  expect(await single.client.chats.loadSaved()).toEqual({ ok: true, value: null });
  const again = await reload(single);
  expect(await again.client.chats.loadSaved()).toEqual({ ok: true, value: null });
  expect(shown(again)).toEqual([
    [5, "", "text 5"],
    [4, "", "text 4"],
  ]);
});

test("SV5 a recall or an edit by the feed takes the copy away or brings its new words", async () => {
  const single = await createReader();
  save(single, 5);
  await single.respond(SAVED, answer(5, 3, WORDS));
  await single.push(CHANGED);
  await single.respond("/user/changes", fed({ id: 5, v: 4, saved: ref(5, WORDS) }));
  await single.respond(SAVED, { entries: [answer(5, 4, WORDS, "edited")], next: null });
  expect(shown(single)).toEqual([[5, "for Monday", "edited"]]);
  await single.push(CHANGED);
  await single.respond("/user/changes", fed({ id: 5, v: 5, saved: null }));
  expect(shown(single)).toEqual([]);
  expect(single.client.getState().savedCopies).toEqual({});
  await advanceTime(single, 200);
  const again = await reload(single);
  await again.client.chats.loadSaved();
  expect(again.client.getState().savedCopies).toEqual({});
});

test("SV5 what this device deletes for the person is gone at once, and the feed is asked", async () => {
  const single = await createReader();
  save(single, 5);
  await single.respond(SAVED, answer(5, 3));
  void single.client.chats.deleteForMe(FRIEND_CHAT, [5]);
  expect(shown(single)).toEqual([]);
  await single.respond("/deleteMessage", null);
  await single.respond("/user/changes", fed({ id: 5, v: 4, saved: null }));
  expect(isSaved(single.client.getState(), 5)).toBe(false);
});

test("SV2 another tab shows it at once, and sends it too", async () => {
  const device = createFakeTabs();
  const single = await createReader({ device });
  await advanceTime(single, 200);
  const storage = single.ports.storage.tab(true);
  const other = createSingleClient({ device, storage, name: "other" });
  await other.client.session.resume();
  await flushMicrotasks();
  save(single, 5);
  expect(isSaved(other.client.getState(), 5)).toBe(true);
  expect(calls(other)).toEqual([["PUT", { id: 5, ...WORDS }]]);
  await single.respond(SAVED, answer(5, 3, WORDS));
  expect(other.client.getState().saved).toMatchObject({ 5: { v: 3 } });
});

test("SV4 without an answer the copies that are there show, and the reason is told", async () => {
  const single = await createReader();
  await single.push(CHANGED);
  await single.respond("/user/changes", fed({ id: 4, v: 4, saved: ref(4) }));
  const done = single.client.chats.loadSaved();
  await single.respond(SAVED, null, 500);
  expect(await done).toMatchObject({ ok: false });
  expect(shown(single)).toEqual([[4, "", undefined]]);
  const again = single.client.chats.loadSaved();
  await flushMicrotasks();
  await single.respond(SAVED, { entries: [answer(4, 4)], next: null });
  expect(await again).toMatchObject({ ok: true });
  expect(shown(single)).toEqual([[4, "", "text 4"]]);
});

test("SV2 in another database of the server nothing of it stays", async () => {
  const single = await createReader();
  save(single, 5);
  await single.respond(SAVED, answer(5, 3, WORDS));
  const again = await reload(single);
  expect(again.client.getState().saved).not.toEqual({});
  await again.goOnline("epoch 2");
  expect([again.client.getState().saved, again.client.getState().savedCopies]).toEqual([{}, {}]);
});
