import { describe, expect, test } from "vitest";
import { MessageStatus, MessageType } from "@parley/protocol/codes";
import { FRIEND_CHAT, groupRow, NOON, ownRow, privateRow, systemRow } from "../testing/builders.ts";
import { bodyOf } from "../testing/fake-http.ts";
import { createFakeTabs } from "../testing/fake-tabs.ts";
import {
  createSingleClient,
  createLoggedInClient,
  NO_CHANGES,
  advanceTime,
  pushedRow,
  reload,
  type SingleClient,
} from "../testing/single-client.ts";
import { flushMicrotasks } from "../testing/flush-microtasks.ts";
import { isMarkedUnread } from "../model/chats/chat-prefs.ts";
import type { ChatKey, Result } from "../model/state.ts";

const OTHER_CHAT: ChatKey = "PRIVATE:3";
const SEND = "/private/send";
const FAILED = { kind: "failed", reason: "offline" } as const;

const chatOf = (single: SingleClient, key = FRIEND_CHAT) => single.client.getState().chats.byKey[key];
const isMarked = (single: SingleClient) =>
  isMarkedUnread(single.client.getState(), chatOf(single) ?? expect.fail());
const messages = (single: SingleClient, key = FRIEND_CHAT) => chatOf(single, key)?.window.messages ?? [];
const contents = (single: SingleClient, key = FRIEND_CHAT) =>
  messages(single, key).map(({ content }) => content);
const mine = (id: number, part = {}) => ({ cmd: 3, data: ownRow({ id, sendTime: NOON + id, ...part }) });
const bodies = (single: SingleClient, part: string) =>
  single.ports.http.waiting
    .filter(({ request }) => request.url.includes(part))
    .map(({ request }) => bodyOf(request) as Record<string, unknown>);

/** The result of an action whose request is answered already. */
async function resultOf<T>(action: Promise<Result<T>>): Promise<Result<T>> {
  await flushMicrotasks();
  return action;
}

describe("an unsent edit", () => {
  test("M57 an unsent edit is sent to other tabs and survives an immediate reload", async () => {
    const device = createFakeTabs();
    const single = await createLoggedInClient({ device });
    await single.push(mine(5));
    await advanceTime(single, 200);
    const other = createSingleClient({ device, storage: single.ports.storage.tab(true), name: "other" });
    await other.client.session.resume();
    await flushMicrotasks();
    const draftEdit = { id: 5, text: "half" };
    single.client.chats.setDraft(FRIEND_CHAT, "waits");
    single.client.chats.setDraftEdit(FRIEND_CHAT, draftEdit);
    expect(chatOf(other)).toMatchObject({ draft: "waits", draftEdit });
    const again = createSingleClient({ storage: single.ports.storage.tab(true), name: "again" });
    await again.client.session.resume();
    await flushMicrotasks();
    expect(chatOf(again)).toMatchObject({ draft: "waits", draftEdit });
    single.client.chats.setDraftEdit(FRIEND_CHAT, null);
    expect(chatOf(other)?.draftEdit).toBeNull();
    expect(chatOf(await reload(single))).toMatchObject({ draft: "waits", draftEdit: null });
  });
});

describe("quotes", () => {
  test("O9 a sent message takes the draft's quote, shows it, and keeps it through a reload", async () => {
    const single = await createLoggedInClient();
    await single.push(pushedRow(5));
    single.client.chats.setDraft(FRIEND_CHAT, "indeed");
    single.client.chats.setQuote(FRIEND_CHAT, 5);
    expect(chatOf(single)?.draftQuote).toEqual({
      id: 5,
      sendId: 2,
      sendNickName: "Friend",
      type: 0,
      content: "text 5",
    });
    single.client.chats.sendText(FRIEND_CHAT, "indeed");
    expect(chatOf(single)?.draftQuote).toBeNull();
    expect(bodies(single, SEND)).toMatchObject([{ content: "indeed", quoteMessageId: 5 }]);
    expect(messages(single)[1]?.quoteMessage).toMatchObject({ id: 5, content: "text 5" });
    const again = await reload(single);
    expect(messages(again).at(-1)?.quoteMessage).toMatchObject({ id: 5, content: "text 5" });
    await again.goOnline();
    expect(bodies(again, SEND)).toMatchObject([{ content: "indeed", quoteMessageId: 5 }]);
  });

  test("O9 an unknown message is not quoted, and blank text keeps the quote", async () => {
    const single = await createLoggedInClient();
    await single.push(pushedRow(5));
    single.client.chats.setQuote(FRIEND_CHAT, 6);
    expect(chatOf(single)?.draftQuote).toBeNull();
    single.client.chats.setQuote(FRIEND_CHAT, 5);
    single.client.chats.sendText(FRIEND_CHAT, "  ");
    expect(chatOf(single)?.draftQuote?.id).toBe(5);
    single.client.chats.setQuote(FRIEND_CHAT, null);
    expect(chatOf(single)?.draftQuote).toBeNull();
  });

  test("I33 quotes, unread marks and removed chats are synced to other tabs and saved", async () => {
    const device = createFakeTabs();
    const single = await createLoggedInClient({ device });
    await single.push(pushedRow(5));
    await advanceTime(single, 200);
    const storage = single.ports.storage.tab(true);
    const other = createSingleClient({ device, storage, name: "other" });
    await other.client.session.resume();
    await flushMicrotasks();
    single.client.chats.setDraft(FRIEND_CHAT, "well");
    single.client.chats.setQuote(FRIEND_CHAT, 5);
    expect(chatOf(other)).toMatchObject({ draft: "well", draftQuote: { id: 5 } });
    single.client.chats.markUnread(FRIEND_CHAT);
    expect(isMarked(other)).toBe(true);
    single.client.chats.sendText(FRIEND_CHAT, "well");
    expect(chatOf(other)?.draftQuote).toBeNull();
    single.client.chats.markRead(FRIEND_CHAT);
    expect(isMarked(other)).toBe(false);
    single.client.chats.remove(FRIEND_CHAT);
    expect(other.client.getState().chats.order).toEqual([]);
    const again = await reload(single);
    expect(chatOf(again)).toMatchObject({ isRemoved: false, draft: "", draftQuote: null });
    expect(contents(again).at(-1)).toBe("well");
  });
});

describe("editing", () => {
  test("I30 the new text is shown and saved after the server accepts the edit", async () => {
    const single = await createLoggedInClient();
    await single.push(mine(5));
    const action = single.client.chats.editText(FRIEND_CHAT, 5, "better");
    const [body] = bodies(single, SEND);
    expect(body).toMatchObject({ type: 7, content: "better", quoteMessageId: 5, recvId: 2 });
    expect(contents(single)).toEqual(["text 5"]);
    const quoteMessage = { id: 5, sendId: 1, content: "better", type: 0, status: 1 };
    await single.respond(SEND, ownRow({ id: 6, type: 7, content: "better", quoteMessage }));
    expect(await resultOf(action)).toEqual({ ok: true, value: null });
    expect(messages(single)).toMatchObject([{ content: "better", isEdited: true }]);
    expect(chatOf(single)?.preview?.text).toBe("better");
    expect(contents(await reloadAndOpen(single))).toEqual(["better"]);
  });

  test("I30 a refused edit returns the failure, raises no notice and changes nothing", async () => {
    const single = await createLoggedInClient();
    await single.push(mine(5));
    const action = single.client.chats.editText(FRIEND_CHAT, 5, "better");
    await single.respond(SEND, null, 500);
    expect(await resultOf(action)).toMatchObject({ ok: false, failure: { kind: "refused" } });
    expect(contents(single)).toEqual(["text 5"]);
    expect(single.notices).toEqual([]);
    expect(single.waiting()).toEqual([]);
  });

  test("I26 after an action without an answer the next pull begins before it", async () => {
    const single = await createLoggedInClient();
    await single.push(mine(5));
    const action = single.client.chats.editText(FRIEND_CHAT, 5, "better");
    await single.push(pushedRow(7));
    single.ports.http.replyRaw(SEND, FAILED);
    expect(await resultOf(action)).toMatchObject({ ok: false, failure: { kind: "network" } });
    expect(single.waiting()).toContain("/message/private/pullOfflineMessage?minId=5");
  });

  test("I26 after a reload during an action the next pull begins before it", async () => {
    const single = await createLoggedInClient();
    await single.push(mine(5));
    void single.client.chats.recall(FRIEND_CHAT, 5);
    await single.push(pushedRow(7));
    const again = await reload(single);
    await again.goOnline();
    expect(again.waiting()).toContain("/message/private/pullOfflineMessage?minId=5");
  });

  test("I26 an answer resumes the cursor", async () => {
    const single = await createLoggedInClient();
    await single.push(mine(5));
    void single.client.chats.recall(FRIEND_CHAT, 5);
    await single.respond("/recall/5", ownRow({ id: 6, type: 10, content: "5" }));
    await single.push(pushedRow(7));
    const again = await reload(single);
    await again.goOnline();
    expect(again.waiting()).toContain("/message/private/pullOfflineMessage?minId=7");
  });
});

async function reloadAndOpen(single: SingleClient): Promise<SingleClient> {
  const again = await reload(single);
  again.client.chats.open(FRIEND_CHAT);
  await flushMicrotasks();
  return again;
}

describe("recalling", () => {
  test("I31 a recalled message disappears after the answer; its text can be edited again for 5 minutes", async () => {
    const single = await createLoggedInClient();
    await single.push(mine(5, { content: "oops" }));
    expect(single.client.chats.recalledText(FRIEND_CHAT, 5)).toBeNull();
    const action = single.client.chats.recall(FRIEND_CHAT, 5);
    expect(single.client.chats.recalledText(FRIEND_CHAT, 5)).toBeNull();
    await single.respond("/recall/5", ownRow({ id: 6, type: 10, content: "5" }));
    expect(await resultOf(action)).toEqual({ ok: true, value: null });
    expect(messages(single)).toMatchObject([{ status: MessageStatus.RECALL, content: "" }]);
    expect(single.client.chats.recalledText(FRIEND_CHAT, 5)).toBe("oops");
    await advanceTime(single, 299_000);
    expect(single.client.chats.recalledText(FRIEND_CHAT, 5)).toBe("oops");
    await advanceTime(single, 1_000);
    expect(single.client.chats.recalledText(FRIEND_CHAT, 5)).toBeNull();
  });

  test("M58 editing a recalled text again restores its quote in its current form, unless the draft has a quote", async () => {
    const single = await createLoggedInClient();
    const quoteMessage = { id: 4, sendId: 2, content: "text 4", type: 0, status: 1 };
    await single.push(pushedRow(3));
    await single.push(pushedRow(4));
    await single.push(mine(5, { content: "oops", quoteMessage }));
    const action = single.client.chats.recall(FRIEND_CHAT, 5);
    await single.respond("/recall/5", ownRow({ id: 6, type: 10, content: "5" }));
    await resultOf(action);
    await single.push({ cmd: 3, data: privateRow({ id: 7, type: 7, content: "now", quoteMessage }) });
    single.client.chats.restoreQuote(FRIEND_CHAT, 5);
    expect(chatOf(single)?.draftQuote).toMatchObject({ id: 4, sendNickName: "Friend", content: "now" });
    single.client.chats.setQuote(FRIEND_CHAT, 3);
    single.client.chats.restoreQuote(FRIEND_CHAT, 5);
    expect(chatOf(single)?.draftQuote).toMatchObject({ id: 3 });
  });

  test("I31 a reload keeps the recalled text for the rest of the 5 minutes, a logout does not", async () => {
    const single = await createLoggedInClient();
    await single.push(mine(5, { content: "oops" }));
    const action = single.client.chats.recall(FRIEND_CHAT, 5);
    await single.respond("/recall/5", ownRow({ id: 6, type: 10, content: "5" }));
    await resultOf(action);
    const again = await reloadAndOpen(single);
    expect(again.client.chats.recalledText(FRIEND_CHAT, 5)).toBe("oops");
    await advanceTime(again, 299_000);
    expect(again.client.chats.recalledText(FRIEND_CHAT, 5)).toBe("oops");
    await advanceTime(again, 1_000);
    expect(again.client.chats.recalledText(FRIEND_CHAT, 5)).toBeNull();
    expect(again.ports.storage.session.get("parley.recalled")).toBeNull();

    const other = await createLoggedInClient();
    await other.push(mine(7, { content: "a secret" }));
    void other.client.chats.recall(FRIEND_CHAT, 7);
    const { session } = other.ports.storage;
    expect(session.get("parley.recalled")).toContain("a secret");
    void other.client.session.logout();
    await flushMicrotasks();
    expect(session.get("parley.recalled")).toBeNull();
  });

  test("I31 a recalled text is deleted from the local database", async () => {
    const single = await createLoggedInClient();
    await single.push(mine(5, { content: "a secret" }));
    await advanceTime(single, 200);
    void single.client.chats.recall(FRIEND_CHAT, 5);
    await single.respond("/recall/5", ownRow({ id: 6, type: 10, content: "5" }));
    await advanceTime(single, 200);
    const database = await single.ports.storage.open("parley-chats:https://im.example:1");
    const stored = [await database.messagesBefore(FRIEND_CHAT, Infinity, 9), await database.chats()];
    expect(JSON.stringify(stored)).not.toContain("secret");
  });

  test("I31 a refusal leaves everything as it is", async () => {
    const single = await createLoggedInClient();
    await single.push(mine(5));
    const action = single.client.chats.recall(FRIEND_CHAT, 5);
    await single.respond("/recall/5", null, 500);
    expect((await resultOf(action)).ok).toBe(false);
    expect(contents(single)).toEqual(["text 5"]);
  });
});

describe("deleting for oneself", () => {
  test("I32 a deleted message disappears at once, also from the local database, and the deletion is sent to the server", async () => {
    const single = await createLoggedInClient();
    await single.push(pushedRow(5), pushedRow(6));
    const action = single.client.chats.deleteForMe(FRIEND_CHAT, [6]);
    expect(contents(single)).toEqual(["text 5"]);
    expect(bodies(single, "/deleteMessage")).toEqual([{ friendId: 2, ids: [6] }]);
    await single.respond("/deleteMessage", null);
    expect((await resultOf(action)).ok).toBe(true);
    await advanceTime(single, 200);
    const database = await single.ports.storage.open("parley-chats:https://im.example:1");
    const stored = await database.messagesBefore(FRIEND_CHAT, Infinity, 9);
    expect(stored.map(({ id }) => id)).toEqual([5]);
  });

  test("I32 a refused deletion brings the message back", async () => {
    const single = await createLoggedInClient();
    await single.push(pushedRow(5), pushedRow(6));
    const action = single.client.chats.deleteForMe(FRIEND_CHAT, [6]);
    await single.respond("/deleteMessage", null, 500);
    expect((await resultOf(action)).ok).toBe(false);
    expect(contents(single)).toEqual(["text 5", "text 6"]);
    const again = await reload(single);
    again.client.chats.open(FRIEND_CHAT);
    await flushMicrotasks();
    expect(contents(again)).toEqual(["text 5", "text 6"]);
  });

  test("I32 an unanswered deletion is retried after 5 s and after a reload", async () => {
    const single = await createLoggedInClient();
    await single.push(pushedRow(5), pushedRow(6));
    const action = single.client.chats.deleteForMe(FRIEND_CHAT, [6]);
    single.ports.http.replyRaw("/deleteMessage", FAILED);
    expect((await resultOf(action)).ok).toBe(true);
    expect(contents(single)).toEqual(["text 5"]);
    await advanceTime(single, 5_000);
    expect(bodies(single, "/deleteMessage")).toHaveLength(1);
    const again = await reload(single);
    await again.goOnline();
    expect(bodies(again, "/deleteMessage")).toEqual([{ friendId: 2, ids: [6] }]);
    await again.respond("/deleteMessage", null);
    const last = await reload(again);
    await last.goOnline();
    expect(bodies(last, "/deleteMessage")).toEqual([]);
  });

  test("I32 deletions of two tabs without an answer are sent after both were closed", async () => {
    const device = createFakeTabs();
    const one = await createLoggedInClient({ device });
    const two = await createLoggedInClient({ device, storage: one.ports.storage.tab(false) });
    for (const tab of [one, two]) await tab.push(pushedRow(5), pushedRow(6), pushedRow(7), pushedRow(8));
    void one.client.chats.deleteForMe(FRIEND_CHAT, [5]);
    await advanceTime(one, 200);
    void two.client.chats.deleteForMe(FRIEND_CHAT, [6]);
    void two.client.chats.deleteForMe(FRIEND_CHAT, [7]);
    await advanceTime(two, 200);
    await two.respond("/deleteMessage", null);
    await advanceTime(two, 200);
    const again = await reload(one);
    await again.goOnline();
    expect(bodies(again, "/deleteMessage").map(({ ids }) => ids)).toEqual([[5], [7]]);
    for (let i = 0; i < 2; i++) await again.respond("/deleteMessage", null);
    const last = await reload(again);
    await last.goOnline();
    expect(bodies(last, "/deleteMessage")).toEqual([]);
  });

  test("I28 messages deleted or cleared on another device disappear with the next changes", async () => {
    const single = await createLoggedInClient();
    await single.push(pushedRow(5), pushedRow(6), pushedRow(7, { sendId: 3 }));
    await single.push({ cmd: 3, data: { type: 82 } });
    const hidden = [{ type: "PRIVATE", targetId: 2, ids: [6] }];
    await single.respond("/user/changes", { ...NO_CHANGES, hidden });
    expect(contents(single)).toEqual(["text 5"]);
    await single.push({ cmd: 3, data: { type: 82 } });
    await single.respond("/user/changes", { ...NO_CHANGES, cleared: [{ type: "PRIVATE", upTo: 7 }] });
    expect(single.client.getState().chats.order).toEqual([]);
    await single.push(pushedRow(6), pushedRow(7, { sendId: 3 }));
    expect(single.client.getState().chats.order).toEqual([]);
    const again = await reload(single);
    again.client.chats.open(FRIEND_CHAT);
    await again.goOnline();
    await again.push(pushedRow(7));
    expect(contents(again)).toEqual([]);
  });

  test("I29 the preview comes from the local database when the newest message is deleted while not in memory", async () => {
    const first = await createLoggedInClient();
    await first.push(pushedRow(5), pushedRow(6));
    const single = await reload(first);
    expect(messages(single)).toEqual([]);
    await single.goOnline();
    await single.respond("/user/changes", {
      ...NO_CHANGES,
      hidden: [{ type: "PRIVATE", targetId: 2, ids: [6] }],
    });
    await single.endPulls();
    await flushMicrotasks();
    expect(chatOf(single)).toMatchObject({ preview: { text: "text 5" }, sync: { needsPreview: false } });
  });
});

test("I34 clearing the history empties what was here before, and then what the server reports as cleared", async () => {
  const single = await createLoggedInClient();
  await single.push(pushedRow(5));
  const action = single.client.chats.clearHistory();
  await single.push(pushedRow(6));
  expect(contents(single)).toEqual(["text 5", "text 6"]);
  await single.respond("/user/flushAllMessage", null);
  expect(contents(single)).toEqual(["text 6"]);
  await single.respond("/user/changes", { ...NO_CHANGES, cleared: [{ type: "PRIVATE", upTo: 6 }] });
  await single.endPulls();
  expect(await resultOf(action)).toEqual({ ok: true, value: null });
  expect(single.client.getState().chats.order).toEqual([]);
  // Friends and groups are loaded again.
  expect(single.waiting()).toEqual(expect.arrayContaining(["/friend/list", "/group/list"]));
});

test("I34 clearing the history without a connection empties every kind of chat, and lasts", async () => {
  const single = await createLoggedInClient();
  await single.push(
    pushedRow(5),
    pushedRow(6, { sendId: 3 }),
    { cmd: 4, data: groupRow({ id: 4 }) },
    { cmd: 5, data: systemRow({ seqNo: 3 }) },
  );
  single.ports.sockets.last().close(1006);
  await flushMicrotasks();
  const action = single.client.chats.clearHistory();
  expect(single.client.getState().chats.order).toHaveLength(4);
  await single.respond("/user/flushAllMessage", null);
  expect(await resultOf(action)).toEqual({ ok: true, value: null });
  expect(single.client.getState().chats.order).toEqual([]);
  const again = await reload(single);
  expect(again.client.getState().chats.order).toEqual([]);
  await again.goOnline();
  await again.push(pushedRow(6, { sendId: 3 }), pushedRow(7));
  await again.endPulls();
  expect(again.client.getState().chats.order).toEqual([FRIEND_CHAT]);
});

test("I34 a refusal clears nothing", async () => {
  const single = await createLoggedInClient();
  await single.push(pushedRow(5));
  const action = single.client.chats.clearHistory();
  await single.respond("/user/flushAllMessage", null, 500);
  expect((await resultOf(action)).ok).toBe(false);
  expect(contents(single)).toEqual(["text 5"]);
});

test("I34 if the answer to clearing is lost, the changes tell what the server has cleared", async () => {
  const single = await createLoggedInClient();
  await single.push(pushedRow(5));
  const action = single.client.chats.clearHistory();
  single.ports.http.replyRaw("/user/flushAllMessage", FAILED);
  expect((await resultOf(action)).ok).toBe(false);
  expect(contents(single)).toEqual(["text 5"]);
  await single.respond("/user/changes", { ...NO_CHANGES, cleared: [{ type: "PRIVATE", upTo: 5 }] });
  expect(contents(single)).toEqual([]);
});

test("I101 clearing the history does not end with changes that were requested before it", async () => {
  const single = await createLoggedInClient();
  await single.push(pushedRow(5), { cmd: 3, data: { type: 82 } });
  expect(single.waiting().filter((path) => path.startsWith("/user/changes"))).toHaveLength(1);
  let isOver = false;
  const action = single.client.chats.clearHistory().finally(() => (isOver = true));
  await single.push(pushedRow(6));
  await single.respond("/user/flushAllMessage", null);
  await single.respond("/user/changes", { ...NO_CHANGES, next: "2" });
  expect(isOver).toBe(false);
  expect(contents(single)).toEqual(["text 6"]);
  await single.respond("/user/changes", { ...NO_CHANGES, cleared: [{ type: "PRIVATE", upTo: 6 }] });
  expect(await resultOf(action)).toEqual({ ok: true, value: null });
  expect(single.client.getState().chats.order).toEqual([]);
});

describe("sending other things", () => {
  test("O11 copies are sent in the order of ids, and kinds that cannot be forwarded are left out", async () => {
    const single = await createLoggedInClient();
    const location = '{"latitude":1,"longitude":2,"name":"x","address":"y"}';
    await single.push(
      pushedRow(5),
      pushedRow(6, { type: MessageType.SHAKE, content: "" }),
      pushedRow(7, { type: MessageType.LOCATION, content: location }),
      pushedRow(8, { type: MessageType.TIP_TEXT }),
    );
    const action = single.client.chats.forward(FRIEND_CHAT, [8, 7, 6, 5], [OTHER_CHAT, "PRIVATE:4"]);
    expect((await resultOf(action)).ok).toBe(true);
    expect(contents(single, OTHER_CHAT)).toEqual(["text 5", location]);
    expect(contents(single, "PRIVATE:4")).toEqual(["text 5", location]);
    const nothing = single.client.chats.forward(FRIEND_CHAT, [6, 8], [OTHER_CHAT]);
    expect((await resultOf(nothing)).ok).toBe(false);
  });

  test("O11 recalled messages are left out of a forward; a forward of only such messages fails", async () => {
    const single = await createLoggedInClient();
    await single.push(pushedRow(5), pushedRow(6), pushedRow(7, { type: 10, content: "5" }));
    const some = single.client.chats.forward(FRIEND_CHAT, [5, 6], [OTHER_CHAT]);
    expect((await resultOf(some)).ok).toBe(true);
    expect(contents(single, OTHER_CHAT)).toEqual(["text 6"]);
    const none = single.client.chats.forward(FRIEND_CHAT, [5], [OTHER_CHAT]);
    expect(await resultOf(none)).toMatchObject({ ok: false, failure: { key: "message.notFound" } });
    const unknown = single.client.chats.forward(FRIEND_CHAT, [4], [OTHER_CHAT]);
    await flushMicrotasks();
    await single.respond("/private/history", []);
    expect(await resultOf(unknown)).toMatchObject({ ok: false, failure: { key: "message.notFound" } });
    expect(contents(single, OTHER_CHAT)).toEqual(["text 6"]);
  });

  test("O11 a message that is not in memory is fetched", async () => {
    const single = await createLoggedInClient();
    const action = single.client.chats.forward(FRIEND_CHAT, [5], [OTHER_CHAT]);
    await flushMicrotasks();
    await single.respond("/private/history", [privateRow({ id: 5 })]);
    expect((await resultOf(action)).ok).toBe(true);
    expect(contents(single, OTHER_CHAT)).toEqual(["text 5"]);
  });

  test("O10 messages written at the same moment keep their order through a reload", async () => {
    const single = await createLoggedInClient({ name: "z" });
    for (const text of ["one", "two", "three"]) single.client.chats.sendText(FRIEND_CHAT, text);
    expect(contents(await reload(single))).toEqual(["one", "two", "three"]);
  });

  test("O12 a nudge or a card is sent like a text and keeps the draft's quote", async () => {
    const single = await createLoggedInClient();
    await single.push(pushedRow(5));
    single.client.chats.setQuote(FRIEND_CHAT, 5);
    single.client.chats.sendContent(FRIEND_CHAT, MessageType.SHAKE, "");
    expect(bodies(single, SEND)).toMatchObject([{ type: 92, content: "", quoteMessageId: null }]);
    expect(chatOf(single)?.draftQuote?.id).toBe(5);
  });
});

describe("chats", () => {
  test("I35 marking as read and removing report the newest position", async () => {
    const single = await createLoggedInClient();
    await single.push(pushedRow(5), pushedRow(6), pushedRow(7, { sendId: 3 }));
    single.client.chats.markRead(FRIEND_CHAT);
    expect(chatOf(single)?.unread).toBe(0);
    single.client.chats.remove(OTHER_CHAT);
    await advanceTime(single, 500);
    expect(single.waiting().filter((url) => url.includes("readed"))).toEqual([
      "/message/private/readed?friendId=2&messageId=6",
      "/message/private/readed?friendId=3&messageId=7",
    ]);
  });

  test("P12 MU7 pinning and muting, also for a time, show at once and are undone when the server refuses", async () => {
    const single = await createLoggedInClient();
    await single.push(pushedRow(5));
    const pinned = single.client.chats.setTop(FRIEND_CHAT, true);
    expect(chatOf(single)?.isTop).toBe(true);
    expect(single.client.getState().contacts.friends[2]?.isTop).toBe(true);
    await single.respond("/friend/top", null);
    expect((await resultOf(pinned)).ok).toBe(true);
    const muted = single.client.chats.setAlerts(FRIEND_CHAT, 0);
    expect(chatOf(single)).toMatchObject({ msgRemind: 0, isTop: true });
    await single.respond("/friend/msgRemind", null, 500);
    expect((await resultOf(muted)).ok).toBe(false);
    expect(chatOf(single)).toMatchObject({ msgRemind: 1, isTop: true });
    const forTime = single.client.chats.setAlerts(FRIEND_CHAT, 0, 5_000);
    const friend = () => single.client.getState().contacts.friends[2];
    expect(friend()).toMatchObject({ msgRemind: 0, isDnd: true, msgRemindUntil: 5_000 });
    await single.respond("/friend/msgRemind", null, 500);
    expect((await resultOf(forTime)).ok).toBe(false);
    expect(friend()).toMatchObject({ msgRemind: 1, isDnd: false, msgRemindUntil: null });
    const stranger = single.client.chats.setTop(OTHER_CHAT, true);
    expect(await stranger).toMatchObject({ ok: false, failure: { key: "friend.notFriend" } });
  });

  test("P13 people are blocked once the server has accepted it", async () => {
    const single = await createLoggedInClient();
    const blocked = single.client.contacts.block(2);
    expect(single.client.getState().contacts.blacklist).toEqual([]);
    await single.respond("/blacklist/add", null);
    await resultOf(blocked);
    expect(single.client.getState().contacts.blacklist).toEqual([2]);
    const unblocked = single.client.contacts.unblock(2);
    await single.respond("/blacklist/remove", null);
    await resultOf(unblocked);
    expect(single.client.getState().contacts.blacklist).toEqual([]);
  });
});
