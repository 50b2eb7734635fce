import { expect, test } from "vitest";
import { chat, FRIEND_CHAT, localEcho, privateRow } from "../../testing/builders.ts";
import { createChatHarness } from "../../testing/chat-harness.ts";
import type { Chat, ChatWindow } from "../state.ts";
import { canLoadMore, confirmedOf, edgeOf, findInWindow, isInWindow, nearestId } from "./window-range.ts";

/** A chat with the messages 4, 6 and 8 and a local echo in memory. */
function chatWith(window: Partial<ChatWindow> = {}): Chat {
  const harness = createChatHarness();
  harness.rows(...[4, 6, 8].map((id) => privateRow({ id })));
  harness.dispatch({ kind: "localEcho", key: FRIEND_CHAT, message: localEcho("t") });
  const shown = harness.chat();
  return { ...shown, window: { ...shown.window, hasOlder: true, hasNewer: true, ...window } };
}

const timeOf = (id: number) => privateRow({ id }).sendTime;

test("M38 the window ends with its first and last acknowledged message, or with the chat", () => {
  expect(confirmedOf(chatWith()).map(({ id }) => id)).toEqual([4, 6, 8]);
  expect([edgeOf(chatWith(), "older"), edgeOf(chatWith(), "newer")]).toEqual([4, 9]);
  const whole = chatWith({ hasOlder: false, hasNewer: false });
  expect([edgeOf(whole, "older"), edgeOf(whole, "newer")]).toEqual([0, Infinity]);
  expect(
    edgeOf(chat({ key: FRIEND_CHAT, window: { ...whole.window, messages: [], hasOlder: true } }), "older"),
  ).toBe(Infinity);
});

test("M38 ids between the ends of the window are in it, others may be outside", () => {
  expect([3, 4, 5, 8, 9].map((id) => isInWindow(chatWith(), id))).toEqual([false, true, true, true, false]);
  expect(isInWindow(chatWith({ hasOlder: false }), 3)).toBe(true);
  expect(isInWindow(chatWith({ hasNewer: false }), 9)).toBe(true);
});

test("M36 a target in the window is found without a page, and a missing one by the next message", () => {
  expect([4, 5, 9, 3].map((id) => findInWindow(chatWith(), { id }))).toEqual([4, 6, null, null]);
  expect(findInWindow(chatWith({ hasNewer: false }), { id: 9 })).toBe(8);
  expect(findInWindow(chatWith(), { time: timeOf(6) })).toBe(6);
  // An older message may have been sent at the same time as the first one.
  expect(findInWindow(chatWith(), { time: timeOf(4) })).toBeNull();
  expect(findInWindow(chatWith({ hasOlder: false }), { time: timeOf(4) })).toBe(4);
  expect(findInWindow(chatWith(), { time: timeOf(8) + 1 })).toBeNull();
  expect(nearestId(undefined, { id: 4 })).toBeNull();
});

test("M38 no more is loaded at an end of the chat or while a page is loading there", () => {
  const sides = (shown: Chat) => [canLoadMore(shown, "older"), canLoadMore(shown, "newer")];
  expect(sides(chatWith())).toEqual([true, true]);
  expect(sides(chatWith({ hasOlder: false, newer: "loading" }))).toEqual([false, false]);
  expect(sides(chatWith({ older: "failed", hasNewer: false }))).toEqual([true, false]);
});
