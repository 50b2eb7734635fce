import { expect, test } from "vitest";
import { Code } from "@parley/protocol/codes";
import { FRIEND, FRIEND_CHAT, ME } from "../testing/builders.ts";
import { bodyOf } from "../testing/fake-http.ts";
import { flushMicrotasks } from "../testing/flush-microtasks.ts";
import { createLoggedInClient, pushedRow, reload, type SingleClient } from "../testing/single-client.ts";
import type { UnsentAct } from "../model/chats/extras.ts";
import { isPinned, shownPins } from "../model/chats/pins.ts";

const PINS = "/message/private/pins";
const PIN = "/message/pin";

const pin = (at = 1) => ({ by: FRIEND, at });
const pinnedRow = (id: number, v: number, at = v) =>
  (pushedRow(id, { extra: { v, pin: pin(at), mine: {} } }) as { data: object }).data;
const shownOf = ({ client }: SingleClient) => {
  const { pins, chats, unsentActs } = client.getState();
  return shownPins(pins[FRIEND_CHAT], chats.byKey[FRIEND_CHAT], { unsentActs }).messages.map(({ id }) => id);
};
const extraPush = (messageId: number, extra: object) => ({
  cmd: 3,
  data: { type: 83, messageId, sendId: FRIEND, recvId: ME, acts: [], content: "", extra },
});
const asked = (single: SingleClient) => single.waiting().filter((url) => url.includes(PINS)).length;

/** A client with an open chat that has loaded these pins. */
async function withPins(...messages: readonly object[]): Promise<SingleClient> {
  const single = await createLoggedInClient();
  await single.push(pushedRow(5));
  single.client.chats.open(FRIEND_CHAT);
  void single.client.chats.loadPins(FRIEND_CHAT);
  await single.respond(PINS, { messages, unseen: 0 });
  return single;
}

test("PN2 pinned messages that are not in memory are loaded once, until the connection is lost", async () => {
  const single = await withPins(pinnedRow(3, 9), pinnedRow(2, 7));
  expect(shownOf(single)).toEqual([3, 2]);
  void single.client.chats.loadPins(FRIEND_CHAT);
  expect(asked(single)).toBe(0);
  single.ports.sockets.last().close(1006);
  await flushMicrotasks();
  expect(shownOf(single)).toEqual([3, 2]);
  void single.client.chats.loadPins(FRIEND_CHAT);
  expect(asked(single)).toBe(1);
});

test("PN2 a failure is answered, and the next call tries again", async () => {
  const single = await createLoggedInClient();
  const loaded = single.client.chats.loadPins(FRIEND_CHAT);
  await single.respond(PINS, null, Code.REFUSED);
  expect(await loaded).toMatchObject({ ok: false, failure: { kind: "refused" } });
  void single.client.chats.loadPins(FRIEND_CHAT);
  expect(asked(single)).toBe(1);
});

test("PN3 what is pinned and unpinned in memory shows at once; for other messages the server is asked again", async () => {
  const single = await withPins(pinnedRow(3, 9));
  await single.push(extraPush(5, { v: 10, pin: pin(10) }));
  expect(shownOf(single)).toEqual([5, 3]);
  expect(asked(single)).toBe(1);
  await single.respond(PINS, { messages: [pinnedRow(5, 10), pinnedRow(3, 9)], unseen: 0 });
  await single.push(extraPush(5, { v: 11 }));
  expect(shownOf(single)).toEqual([3]);
  await single.respond(PINS, { messages: [pinnedRow(3, 9)], unseen: 0 });
  // A reaction changes nothing that is pinned.
  await single.push(extraPush(3, { v: 12, pin: pin(9), reactions: [] }));
  expect(asked(single)).toBe(0);
  await single.push(extraPush(3, { v: 13 }));
  expect(asked(single)).toBe(1);
  // Meanwhile another one is pinned, so this answer is not the last.
  await single.push(extraPush(2, { v: 14, pin: pin(14) }));
  await single.respond(PINS, { messages: [], unseen: 0 });
  expect(asked(single)).toBe(1);
  await single.respond(PINS, { messages: [pinnedRow(2, 14)], unseen: 3 });
  expect(shownOf(single)).toEqual([2]);
  expect(single.client.getState().pins[FRIEND_CHAT]?.unseen).toBe(3);
});

test("PN3 a recalled message is no longer pinned, also if it is not in memory", async () => {
  const single = await withPins(pinnedRow(5, 9), pinnedRow(3, 8));
  await single.push(pushedRow(6, { type: 10, content: "5" }));
  expect(shownOf(single)).toEqual([3]);
  await single.respond(PINS, { messages: [pinnedRow(3, 8)], unseen: 0 });
  await single.push(pushedRow(7, { type: 10, content: "3" }));
  await single.respond(PINS, { messages: [], unseen: 0 });
  expect(shownOf(single)).toEqual([]);
});

test("PN3 what the person deletes or clears for themselves is no longer shown as pinned", async () => {
  const single = await withPins(pinnedRow(4, 9), pinnedRow(3, 8));
  void single.client.chats.deleteForMe(FRIEND_CHAT, [4]);
  expect(shownOf(single)).toEqual([3]);
  void single.client.chats.clearHistory();
  await single.respond("/user/flushAllMessage", null);
  await flushMicrotasks();
  expect(shownOf(single)).toEqual([]);
  expect(asked(single)).toBe(1);
});

test("PN4 a pin shows at once, survives a reload, and of several only the last state is sent", async () => {
  const single = await createLoggedInClient();
  await single.push(pushedRow(5));
  single.ports.environment.set({ hasNetwork: false });
  for (const on of [true, false, true]) single.client.chats.pin(FRIEND_CHAT, 5, on);
  await flushMicrotasks();
  expect(shownOf(single)).toEqual([5]);
  const again = await reload(single);
  again.client.chats.open(FRIEND_CHAT);
  await flushMicrotasks();
  expect(shownOf(again)).toEqual([5]);
  await again.goOnline();
  const bodies = again.ports.http.waiting
    .filter(({ request }) => request.url.endsWith(PIN))
    .map(({ request }) => bodyOf(request));
  expect(bodies).toEqual([{ id: 5, on: true }]);
  await again.respond(PIN, { v: 3, pin: pin(), mine: {} });
  expect(shownOf(again)).toEqual([5]);
  expect(again.client.getState().unsentActs).toEqual({});
});

test("PN4 a refusal unpins it again and is told", async () => {
  const single = await createLoggedInClient();
  await single.push(pushedRow(5));
  single.client.chats.pin(FRIEND_CHAT, 5, true);
  expect(shownOf(single)).toEqual([5]);
  await single.respond(PIN, null, Code.REFUSED);
  expect(shownOf(single)).toEqual([]);
  expect(single.notices.filter(({ kind }) => kind === "failure")).toHaveLength(1);
});

test("PN4 the last unsent act of a message decides whether it shows as pinned", () => {
  const extra = { v: 1, ownV: 1, mine: {}, pin: pin() } as const;
  const message = { id: 5, status: 0, extra } as const;
  const acts = (...unsent: UnsentAct[]) => ({ unsentActs: { 5: unsent } });
  const act = (on: boolean) => ({ kind: "pin", key: "", on }) as const;
  expect(isPinned(message, acts())).toBe(true);
  expect(isPinned(message, acts({ kind: "reactions", key: "👍", on: false }))).toBe(true);
  expect(isPinned(message, acts(act(false)))).toBe(false);
  expect(isPinned({ id: 5, status: 0, extra: undefined }, acts(act(true)))).toBe(true);
  expect(isPinned({ ...message, status: 2 }, acts(act(true)))).toBe(false);
});
