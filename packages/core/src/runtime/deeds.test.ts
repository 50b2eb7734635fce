import { describe, expect, test } from "vitest";
import { MessageStatus, MessageType } from "@parley/protocol/codes";
import { FRIEND_CHAT, NOON, ownRow, privateRow } from "../testing/builders.ts";
import { bodyOf } from "../testing/fake-http.ts";
import { createFakeDevice } from "../testing/fake-tabs.ts";
import { createSolo, loggedIn, NO_CHANGES, pass, pushed, reloaded, type Solo } from "../testing/logged-in.ts";
import { settle } from "../testing/settle.ts";
import type { ChatKey, Result } from "../model/state.ts";

const OTHER_CHAT: ChatKey = "PRIVATE:3";
const SEND = "/private/send";
const FAILED = { kind: "failed", reason: "offline" } as const;

const chatOf = (solo: Solo, key = FRIEND_CHAT) => solo.client.getState().chats.byKey[key];
const messages = (solo: Solo, key = FRIEND_CHAT) => chatOf(solo, key)?.window.messages ?? [];
const contents = (solo: Solo, key = FRIEND_CHAT) => messages(solo, key).map(({ content }) => content);
const mine = (id: number, part = {}) => ({ cmd: 3, data: ownRow({ id, sendTime: NOON + id, ...part }) });
const bodies = (solo: Solo, part: string) =>
  solo.ports.http.waiting
    .filter(({ request }) => request.url.includes(part))
    .map(({ request }) => bodyOf(request) as Record<string, unknown>);

/** Waits for an action whose request was answered meanwhile. */
async function done<T>(action: Promise<Result<T>>): Promise<Result<T>> {
  await settle();
  return action;
}

describe("an edit not yet sent", () => {
  test("M57 is told to the other tabs, and outlives a reload at that very moment", async () => {
    const device = createFakeDevice();
    const solo = await loggedIn({ device });
    await solo.push(mine(5));
    await pass(solo, 200);
    const other = createSolo({ device, storage: solo.ports.storage.tab(true), name: "other" });
    await other.client.session.resume();
    await settle();
    const draftEdit = { id: 5, text: "half" };
    solo.client.chats.setDraft(FRIEND_CHAT, "waits");
    solo.client.chats.setDraftEdit(FRIEND_CHAT, draftEdit);
    expect(chatOf(other)).toMatchObject({ draft: "waits", draftEdit });
    const again = createSolo({ storage: solo.ports.storage.tab(true), name: "again" });
    await again.client.session.resume();
    await settle();
    expect(chatOf(again)).toMatchObject({ draft: "waits", draftEdit });
    solo.client.chats.setDraftEdit(FRIEND_CHAT, null);
    expect(chatOf(other)?.draftEdit).toBeNull();
    expect(chatOf(await reloaded(solo))).toMatchObject({ draft: "waits", draftEdit: null });
  });
});

describe("quotes", () => {
  test("O9 what is sent takes the draft's quote along, shows it, and keeps it through a reload", async () => {
    const solo = await loggedIn();
    await solo.push(pushed(5));
    solo.client.chats.setDraft(FRIEND_CHAT, "indeed");
    solo.client.chats.setQuote(FRIEND_CHAT, 5);
    expect(chatOf(solo)?.draftQuote).toEqual({
      id: 5,
      sendId: 2,
      sendNickName: "Friend",
      type: 0,
      content: "text 5",
    });
    solo.client.chats.sendText(FRIEND_CHAT, "indeed");
    expect(chatOf(solo)?.draftQuote).toBeNull();
    expect(bodies(solo, SEND)).toMatchObject([{ content: "indeed", quoteMessageId: 5 }]);
    expect(messages(solo)[1]?.quoteMessage).toMatchObject({ id: 5, content: "text 5" });
    const again = await reloaded(solo);
    expect(messages(again).at(-1)?.quoteMessage).toMatchObject({ id: 5, content: "text 5" });
    await again.goOnline();
    expect(bodies(again, SEND)).toMatchObject([{ content: "indeed", quoteMessageId: 5 }]);
  });

  test("O9 an unknown message is not quoted, and blank text keeps the quote", async () => {
    const solo = await loggedIn();
    await solo.push(pushed(5));
    solo.client.chats.setQuote(FRIEND_CHAT, 6);
    expect(chatOf(solo)?.draftQuote).toBeNull();
    solo.client.chats.setQuote(FRIEND_CHAT, 5);
    solo.client.chats.sendText(FRIEND_CHAT, "  ");
    expect(chatOf(solo)?.draftQuote?.id).toBe(5);
    solo.client.chats.setQuote(FRIEND_CHAT, null);
    expect(chatOf(solo)?.draftQuote).toBeNull();
  });

  test("I33 quotes, unread marks and removed chats are told to the other tabs and kept", async () => {
    const device = createFakeDevice();
    const solo = await loggedIn({ device });
    await solo.push(pushed(5));
    await pass(solo, 200);
    const storage = solo.ports.storage.tab(true);
    const other = createSolo({ device, storage, name: "other" });
    await other.client.session.resume();
    await settle();
    solo.client.chats.setDraft(FRIEND_CHAT, "well");
    solo.client.chats.setQuote(FRIEND_CHAT, 5);
    expect(chatOf(other)).toMatchObject({ draft: "well", draftQuote: { id: 5 } });
    solo.client.chats.markUnread(FRIEND_CHAT);
    expect(chatOf(other)?.isMarkedUnread).toBe(true);
    solo.client.chats.sendText(FRIEND_CHAT, "well");
    expect(chatOf(other)?.draftQuote).toBeNull();
    solo.client.chats.markRead(FRIEND_CHAT);
    expect(chatOf(other)?.isMarkedUnread).toBe(false);
    solo.client.chats.remove(FRIEND_CHAT);
    expect(other.client.getState().chats.order).toEqual([]);
    const again = await reloaded(solo);
    expect(chatOf(again)).toMatchObject({ isRemoved: false, draft: "", draftQuote: null });
    expect(contents(again).at(-1)).toBe("well");
  });
});

describe("editing", () => {
  test("I30 the new text shows when the server has agreed, and on disk", async () => {
    const solo = await loggedIn();
    await solo.push(mine(5));
    const action = solo.client.chats.editText(FRIEND_CHAT, 5, "better");
    const [body] = bodies(solo, SEND);
    expect(body).toMatchObject({ type: 7, content: "better", quoteMessageId: 5, recvId: 2 });
    expect(contents(solo)).toEqual(["text 5"]);
    const quoteMessage = { id: 5, sendId: 1, content: "better", type: 0, status: 1 };
    await solo.reply(SEND, ownRow({ id: 6, type: 7, content: "better", quoteMessage }));
    expect(await done(action)).toEqual({ ok: true, value: null });
    expect(messages(solo)).toMatchObject([{ content: "better", isEdited: true }]);
    expect(chatOf(solo)?.preview?.text).toBe("better");
    expect(contents(await openedAgain(solo))).toEqual(["better"]);
  });

  test("I30 a refusal is answered, says nothing by itself and changes nothing", async () => {
    const solo = await loggedIn();
    await solo.push(mine(5));
    const action = solo.client.chats.editText(FRIEND_CHAT, 5, "better");
    await solo.reply(SEND, null, 500);
    expect(await done(action)).toMatchObject({ ok: false, failure: { kind: "refused" } });
    expect(contents(solo)).toEqual(["text 5"]);
    expect(solo.notices).toEqual([]);
    expect(solo.waiting()).toEqual([]);
  });

  test("I26 without an answer the next pull begins before the action", async () => {
    const solo = await loggedIn();
    await solo.push(mine(5));
    const action = solo.client.chats.editText(FRIEND_CHAT, 5, "better");
    await solo.push(pushed(7));
    solo.ports.http.replyRaw(SEND, FAILED);
    expect(await done(action)).toMatchObject({ ok: false, failure: { kind: "network" } });
    expect(solo.waiting()).toContain("/message/private/pullOfflineMessage?minId=5");
  });

  test("I26 also after a reload in the middle", async () => {
    const solo = await loggedIn();
    await solo.push(mine(5));
    void solo.client.chats.recall(FRIEND_CHAT, 5);
    await solo.push(pushed(7));
    const again = await reloaded(solo);
    await again.goOnline();
    expect(again.waiting()).toContain("/message/private/pullOfflineMessage?minId=5");
  });

  test("I26 an answer lets the cursor go on", async () => {
    const solo = await loggedIn();
    await solo.push(mine(5));
    void solo.client.chats.recall(FRIEND_CHAT, 5);
    await solo.reply("/recall/5", ownRow({ id: 6, type: 10, content: "5" }));
    await solo.push(pushed(7));
    const again = await reloaded(solo);
    await again.goOnline();
    expect(again.waiting()).toContain("/message/private/pullOfflineMessage?minId=7");
  });
});

async function openedAgain(solo: Solo): Promise<Solo> {
  const again = await reloaded(solo);
  again.client.chats.open(FRIEND_CHAT);
  await settle();
  return again;
}

describe("recalling", () => {
  test("I31 the answer takes the message away; its text can be edited again for 5 minutes", async () => {
    const solo = await loggedIn();
    await solo.push(mine(5, { content: "oops" }));
    expect(solo.client.chats.reeditText(FRIEND_CHAT, 5)).toBeNull();
    const action = solo.client.chats.recall(FRIEND_CHAT, 5);
    expect(solo.client.chats.reeditText(FRIEND_CHAT, 5)).toBeNull();
    await solo.reply("/recall/5", ownRow({ id: 6, type: 10, content: "5" }));
    expect(await done(action)).toEqual({ ok: true, value: null });
    expect(messages(solo)).toMatchObject([{ status: MessageStatus.RECALL, content: "" }]);
    expect(solo.client.chats.reeditText(FRIEND_CHAT, 5)).toBe("oops");
    await pass(solo, 299_000);
    expect(solo.client.chats.reeditText(FRIEND_CHAT, 5)).toBe("oops");
    await pass(solo, 1_000);
    expect(solo.client.chats.reeditText(FRIEND_CHAT, 5)).toBeNull();
  });

  test("M58 what it answered comes back too, as it now stands, unless the draft answers something already", async () => {
    const solo = await loggedIn();
    const quoteMessage = { id: 4, sendId: 2, content: "text 4", type: 0, status: 1 };
    await solo.push(pushed(3));
    await solo.push(pushed(4));
    await solo.push(mine(5, { content: "oops", quoteMessage }));
    const action = solo.client.chats.recall(FRIEND_CHAT, 5);
    await solo.reply("/recall/5", ownRow({ id: 6, type: 10, content: "5" }));
    await done(action);
    await solo.push({ cmd: 3, data: privateRow({ id: 7, type: 7, content: "now", quoteMessage }) });
    solo.client.chats.requote(FRIEND_CHAT, 5);
    expect(chatOf(solo)?.draftQuote).toMatchObject({ id: 4, sendNickName: "Friend", content: "now" });
    solo.client.chats.setQuote(FRIEND_CHAT, 3);
    solo.client.chats.requote(FRIEND_CHAT, 5);
    expect(chatOf(solo)?.draftQuote).toMatchObject({ id: 3 });
  });

  test("I31 a reload keeps it for the rest of the 5 minutes, a logout does not", async () => {
    const solo = await loggedIn();
    await solo.push(mine(5, { content: "oops" }));
    const action = solo.client.chats.recall(FRIEND_CHAT, 5);
    await solo.reply("/recall/5", ownRow({ id: 6, type: 10, content: "5" }));
    await done(action);
    const again = await openedAgain(solo);
    expect(again.client.chats.reeditText(FRIEND_CHAT, 5)).toBe("oops");
    await pass(again, 299_000);
    expect(again.client.chats.reeditText(FRIEND_CHAT, 5)).toBe("oops");
    await pass(again, 1_000);
    expect(again.client.chats.reeditText(FRIEND_CHAT, 5)).toBeNull();
    expect(again.ports.storage.session.get("parley.recalled")).toBeNull();

    const other = await loggedIn();
    await other.push(mine(7, { content: "a secret" }));
    void other.client.chats.recall(FRIEND_CHAT, 7);
    const { session } = other.ports.storage;
    expect(session.get("parley.recalled")).toContain("a secret");
    void other.client.session.logout();
    await settle();
    expect(session.get("parley.recalled")).toBeNull();
  });

  test("I31 a recalled text is not on the disk any more", async () => {
    const solo = await loggedIn();
    await solo.push(mine(5, { content: "a secret" }));
    await pass(solo, 200);
    void solo.client.chats.recall(FRIEND_CHAT, 5);
    await solo.reply("/recall/5", ownRow({ id: 6, type: 10, content: "5" }));
    await pass(solo, 200);
    const database = await solo.ports.storage.open("parley:https://im.example:1");
    const kept = [await database.messagesBefore(FRIEND_CHAT, Infinity, 9), await database.chats()];
    expect(JSON.stringify(kept)).not.toContain("secret");
  });

  test("I31 a refusal leaves everything as it is", async () => {
    const solo = await loggedIn();
    await solo.push(mine(5));
    const action = solo.client.chats.recall(FRIEND_CHAT, 5);
    await solo.reply("/recall/5", null, 500);
    expect((await done(action)).ok).toBe(false);
    expect(contents(solo)).toEqual(["text 5"]);
  });
});

describe("deleting for oneself", () => {
  test("I32 it is gone at once, on the disk too, and told to the server", async () => {
    const solo = await loggedIn();
    await solo.push(pushed(5), pushed(6));
    const action = solo.client.chats.hide(FRIEND_CHAT, [6]);
    expect(contents(solo)).toEqual(["text 5"]);
    expect(bodies(solo, "/deleteMessage")).toEqual([{ friendId: 2, ids: [6] }]);
    await solo.reply("/deleteMessage", null);
    expect((await done(action)).ok).toBe(true);
    await pass(solo, 200);
    const database = await solo.ports.storage.open("parley:https://im.example:1");
    const kept = await database.messagesBefore(FRIEND_CHAT, Infinity, 9);
    expect(kept.map(({ id }) => id)).toEqual([5]);
  });

  test("I32 a refusal brings it back", async () => {
    const solo = await loggedIn();
    await solo.push(pushed(5), pushed(6));
    const action = solo.client.chats.hide(FRIEND_CHAT, [6]);
    await solo.reply("/deleteMessage", null, 500);
    expect((await done(action)).ok).toBe(false);
    expect(contents(solo)).toEqual(["text 5", "text 6"]);
    const again = await reloaded(solo);
    again.client.chats.open(FRIEND_CHAT);
    await settle();
    expect(contents(again)).toEqual(["text 5", "text 6"]);
  });

  test("I32 without an answer it is told again, after 5 s and after a reload", async () => {
    const solo = await loggedIn();
    await solo.push(pushed(5), pushed(6));
    const action = solo.client.chats.hide(FRIEND_CHAT, [6]);
    solo.ports.http.replyRaw("/deleteMessage", FAILED);
    expect((await done(action)).ok).toBe(true);
    expect(contents(solo)).toEqual(["text 5"]);
    await pass(solo, 5_000);
    expect(bodies(solo, "/deleteMessage")).toHaveLength(1);
    const again = await reloaded(solo);
    await again.goOnline();
    expect(bodies(again, "/deleteMessage")).toEqual([{ friendId: 2, ids: [6] }]);
    await again.reply("/deleteMessage", null);
    const last = await reloaded(again);
    await last.goOnline();
    expect(bodies(last, "/deleteMessage")).toEqual([]);
  });

  test("I28 what was deleted or cleared elsewhere goes when the server tells of changes", async () => {
    const solo = await loggedIn();
    await solo.push(pushed(5), pushed(6), pushed(7, { sendId: 3 }));
    await solo.push({ cmd: 3, data: { type: 82 } });
    const hidden = [{ type: "PRIVATE", targetId: 2, ids: [6] }];
    await solo.reply("/user/changes", { ...NO_CHANGES, hidden });
    expect(contents(solo)).toEqual(["text 5"]);
    await solo.push({ cmd: 3, data: { type: 82 } });
    await solo.reply("/user/changes", { ...NO_CHANGES, cleared: [{ type: "PRIVATE", upTo: 7 }] });
    expect(solo.client.getState().chats.order).toEqual([]);
    await solo.push(pushed(6), pushed(7, { sendId: 3 }));
    expect(solo.client.getState().chats.order).toEqual([]);
    const again = await reloaded(solo);
    again.client.chats.open(FRIEND_CHAT);
    await again.goOnline();
    await again.push(pushed(7));
    expect(contents(again)).toEqual([]);
  });

  test("I29 preview and time are found on the disk when the newest message goes unseen", async () => {
    const first = await loggedIn();
    await first.push(pushed(5), pushed(6));
    const solo = await reloaded(first);
    expect(messages(solo)).toEqual([]);
    await solo.goOnline();
    await solo.reply("/user/changes", {
      ...NO_CHANGES,
      hidden: [{ type: "PRIVATE", targetId: 2, ids: [6] }],
    });
    await solo.endPulls();
    await settle();
    expect(chatOf(solo)).toMatchObject({ preview: { text: "text 5" }, book: { isHollow: false } });
  });
});

test("I34 clearing empties what the server says was cleared", async () => {
  const solo = await loggedIn();
  await solo.push(pushed(5));
  const action = solo.client.chats.clearHistory();
  await solo.reply("/user/flushAllMessage", null);
  expect(contents(solo)).toEqual(["text 5"]);
  await solo.reply("/user/changes", { ...NO_CHANGES, cleared: [{ type: "PRIVATE", upTo: 5 }] });
  await solo.endPulls();
  expect(await done(action)).toEqual({ ok: true, value: null });
  expect(solo.client.getState().chats.order).toEqual([]);
  // Friends and groups are asked for anew.
  expect(solo.waiting()).toEqual(expect.arrayContaining(["/friend/list", "/group/list"]));
});

test("I101 clearing everything does not end with an answer that was asked for before", async () => {
  const solo = await loggedIn();
  await solo.push(pushed(5), { cmd: 3, data: { type: 82 } });
  expect(solo.waiting().filter((path) => path.startsWith("/user/changes"))).toHaveLength(1);
  let isOver = false;
  const action = solo.client.chats.clearHistory().finally(() => (isOver = true));
  await solo.reply("/user/flushAllMessage", null);
  await solo.reply("/user/changes", { ...NO_CHANGES, next: "2" });
  expect(isOver).toBe(false);
  expect(contents(solo)).toEqual(["text 5"]);
  await solo.reply("/user/changes", { ...NO_CHANGES, cleared: [{ type: "PRIVATE", upTo: 5 }] });
  expect(await done(action)).toEqual({ ok: true, value: null });
  expect(solo.client.getState().chats.order).toEqual([]);
});

describe("sending other things", () => {
  test("O11 copies go out in the order of ids, and what cannot be forwarded stays", async () => {
    const solo = await loggedIn();
    const location = '{"latitude":1,"longitude":2,"name":"x","address":"y"}';
    await solo.push(
      pushed(5),
      pushed(6, { type: MessageType.SHAKE, content: "" }),
      pushed(7, { type: MessageType.LOCATION, content: location }),
      pushed(8, { type: MessageType.TIP_TEXT }),
    );
    const action = solo.client.chats.forward(FRIEND_CHAT, [8, 7, 6, 5], [OTHER_CHAT, "PRIVATE:4"]);
    expect((await done(action)).ok).toBe(true);
    expect(contents(solo, OTHER_CHAT)).toEqual(["text 5", location]);
    expect(contents(solo, "PRIVATE:4")).toEqual(["text 5", location]);
    const nothing = solo.client.chats.forward(FRIEND_CHAT, [6, 8], [OTHER_CHAT]);
    expect((await done(nothing)).ok).toBe(false);
  });

  test("O11 of messages that were taken back meanwhile the others go; of nothing but such the person hears", async () => {
    const solo = await loggedIn();
    await solo.push(pushed(5), pushed(6), pushed(7, { type: 10, content: "5" }));
    const some = solo.client.chats.forward(FRIEND_CHAT, [5, 6], [OTHER_CHAT]);
    expect((await done(some)).ok).toBe(true);
    expect(contents(solo, OTHER_CHAT)).toEqual(["text 6"]);
    const none = solo.client.chats.forward(FRIEND_CHAT, [5], [OTHER_CHAT]);
    expect(await done(none)).toMatchObject({ ok: false, failure: { key: "message.notFound" } });
    const unknown = solo.client.chats.forward(FRIEND_CHAT, [4], [OTHER_CHAT]);
    await settle();
    await solo.reply("/private/history", []);
    expect(await done(unknown)).toMatchObject({ ok: false, failure: { key: "message.notFound" } });
    expect(contents(solo, OTHER_CHAT)).toEqual(["text 6"]);
  });

  test("O11 a message that is not in memory is fetched", async () => {
    const solo = await loggedIn();
    const action = solo.client.chats.forward(FRIEND_CHAT, [5], [OTHER_CHAT]);
    await settle();
    await solo.reply("/private/history", [privateRow({ id: 5 })]);
    expect((await done(action)).ok).toBe(true);
    expect(contents(solo, OTHER_CHAT)).toEqual(["text 5"]);
  });

  test("O10 what was written in the same moment keeps its order through a reload", async () => {
    const solo = await loggedIn({ name: "z" });
    for (const text of ["one", "two", "three"]) solo.client.chats.sendText(FRIEND_CHAT, text);
    expect(contents(await reloaded(solo))).toEqual(["one", "two", "three"]);
  });

  test("O12 a shake or a card goes out like a text and leaves the quote alone", async () => {
    const solo = await loggedIn();
    await solo.push(pushed(5));
    solo.client.chats.setQuote(FRIEND_CHAT, 5);
    solo.client.chats.sendContent(FRIEND_CHAT, MessageType.SHAKE, "");
    expect(bodies(solo, SEND)).toMatchObject([{ type: 92, content: "", quoteMessageId: null }]);
    expect(chatOf(solo)?.draftQuote?.id).toBe(5);
  });
});

describe("chats", () => {
  test("I35 marking as read and removing report the newest position", async () => {
    const solo = await loggedIn();
    await solo.push(pushed(5), pushed(6), pushed(7, { sendId: 3 }));
    solo.client.chats.markRead(FRIEND_CHAT);
    expect(chatOf(solo)?.unread).toBe(0);
    solo.client.chats.remove(OTHER_CHAT);
    await pass(solo, 500);
    expect(solo.waiting().filter((url) => url.includes("readed"))).toEqual([
      "/message/private/readed?friendId=2&messageId=6",
      "/message/private/readed?friendId=3&messageId=7",
    ]);
  });

  test("P12 pinning and silencing show at once and go back when the server refuses", async () => {
    const solo = await loggedIn();
    await solo.push(pushed(5));
    const pinned = solo.client.chats.setTop(FRIEND_CHAT, true);
    expect(chatOf(solo)?.isTop).toBe(true);
    expect(solo.client.getState().contacts.friends[2]?.isTop).toBe(true);
    await solo.reply("/friend/top", null);
    expect((await done(pinned)).ok).toBe(true);
    const silenced = solo.client.chats.setRemind(FRIEND_CHAT, 0);
    expect(chatOf(solo)).toMatchObject({ msgRemind: 0, isTop: true });
    await solo.reply("/friend/msgRemind", null, 500);
    expect((await done(silenced)).ok).toBe(false);
    expect(chatOf(solo)).toMatchObject({ msgRemind: 1, isTop: true });
    const stranger = solo.client.chats.setTop(OTHER_CHAT, true);
    expect(await stranger).toMatchObject({ ok: false, failure: { key: "friend.notFriend" } });
  });

  test("P13 people are blocked once the server has agreed", async () => {
    const solo = await loggedIn();
    const blocked = solo.client.contacts.block(2);
    expect(solo.client.getState().contacts.blacklist).toEqual([]);
    await solo.reply("/blacklist/add", null);
    await done(blocked);
    expect(solo.client.getState().contacts.blacklist).toEqual([2]);
    const unblocked = solo.client.contacts.unblock(2);
    await solo.reply("/blacklist/remove", null);
    await done(unblocked);
    expect(solo.client.getState().contacts.blacklist).toEqual([]);
  });
});

describe("notices", () => {
  test("A11 a live message of a chat that alerts is told once, a shake beside it", async () => {
    const solo = await loggedIn();
    await solo.push(pushed(5), mine(6), pushed(7, { type: MessageType.TIP_TEXT }));
    await solo.push(pushed(5));
    await solo.push(pushed(8, { type: MessageType.SHAKE, content: "" }));
    expect(solo.notices).toMatchObject([
      { kind: "message", key: FRIEND_CHAT, message: { id: 5 } },
      { kind: "message", key: FRIEND_CHAT, message: { id: 8 } },
      { kind: "shake", key: FRIEND_CHAT },
    ]);
  });

  test("A11 nothing is told of silenced chats, nor of what a pull brings", async () => {
    const solo = await loggedIn();
    const silenced = solo.client.chats.setRemind(FRIEND_CHAT, 0);
    await solo.reply("/friend/msgRemind", null);
    await done(silenced);
    await solo.push(pushed(5, { type: MessageType.SHAKE, content: "" }));
    solo.ports.sockets.last().close(1006);
    await settle();
    solo.client.session.retryConnection();
    await settle();
    await solo.goOnline();
    await solo.push(pushed(6, { sendId: 3 }));
    await solo.endPulls();
    expect(solo.notices.filter(({ kind }) => kind !== "connectionLost")).toEqual([]);
  });
});

describe("the account", () => {
  test("S17 sessions are listed and ended", async () => {
    const solo = await loggedIn();
    const listed = solo.client.session.sessions();
    await solo.reply("/user/sessions", []);
    expect(await done(listed)).toEqual({ ok: true, value: [] });
    void solo.client.session.endSession("s1");
    void solo.client.session.endSession(null);
    expect(solo.waiting()).toEqual(["/user/sessions?id=s1", "/user/sessions"]);
  });

  test("S18 who closes the account is signed out and forgotten", async () => {
    const solo = await loggedIn();
    expect(solo.client.session.savedAccounts()).toHaveLength(1);
    const closed = solo.client.session.unregister();
    await solo.reply("/unregister", null);
    expect((await done(closed)).ok).toBe(true);
    expect(solo.client.getState().session).toEqual({ kind: "anonymous", ended: null });
    expect(solo.client.session.savedAccounts()).toEqual([]);
  });
});
