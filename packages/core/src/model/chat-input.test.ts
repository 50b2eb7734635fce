import { MessageType } from "@parley/protocol/codes";
import { describe, expect, test } from "vitest";
import {
  chat,
  echo,
  FRIEND_CHAT,
  NOON,
  ownRow,
  privateRow,
  requestVO,
  systemRow,
} from "../testing/builders.ts";
import { chatsInHand, privateInput, systemInput } from "../testing/chats.ts";
import { SYSTEM_CHAT, talkMessage } from "./rows.ts";
import type { ChatKey } from "./state.ts";

const OTHER_CHAT: ChatKey = "PRIVATE:3";
const fromThird = (id: number) => privateRow({ id, sendId: 3 });

describe("one input", () => {
  const talk = (id: number, part = {}) => talkMessage(privateRow({ id, ...part }), 1);

  test("M31 a chat without messages keeps the time of its first opening, also when it is opened again", () => {
    const hand = chatsInHand();
    hand.apply({ kind: "open", key: FRIEND_CHAT, now: 5 }, { kind: "open", key: FRIEND_CHAT, now: 6 });
    expect(hand.chat()).toMatchObject({ lastSendTime: 5, book: { openedAt: 5 } });
    hand.apply({ kind: "close" });
    hand.apply({ kind: "open", key: FRIEND_CHAT, now: 9 });
    expect(hand.chat()).toMatchObject({ lastSendTime: 5, book: { openedAt: 9 } });
    hand.apply({ kind: "open", key: FRIEND_CHAT, now: 10 });
    expect(hand.chat().book.openedAt).toBe(9);
    hand.apply({ kind: "open", key: OTHER_CHAT, now: 11 });
    expect(hand.state.openKey).toBe(OTHER_CHAT);
  });

  test("M31 one that was only remembered, or taken from the list, comes back where now is, if nothing tells better", () => {
    const hand = chatsInHand();
    hand.apply({ kind: "hide", key: FRIEND_CHAT, ids: [5] });
    hand.apply({ kind: "open", key: FRIEND_CHAT, now: 7 });
    expect(hand.chat()).toMatchObject({ isRemoved: false, lastSendTime: 7 });
    hand.apply({ kind: "remove", key: FRIEND_CHAT }, { kind: "open", key: FRIEND_CHAT, now: 8 });
    expect(hand.chat()).toMatchObject({ isRemoved: false, lastSendTime: 7 });
  });

  test("M54 opening a marked chat changes nothing of its time", () => {
    const hand = chatsInHand();
    hand.apply({ kind: "draft", key: FRIEND_CHAT, text: "x" }, { kind: "open", key: OTHER_CHAT, now: 1 });
    expect(hand.state.byKey[FRIEND_CHAT]).toBeUndefined();
    hand.apply({ kind: "restore", chats: [chat({ key: FRIEND_CHAT, isMarkedUnread: true })] });
    hand.apply({ kind: "open", key: FRIEND_CHAT, now: 7 });
    expect(hand.chat()).toMatchObject({ isMarkedUnread: false, lastSendTime: 0 });
  });

  test("M54 reading up to a message leaves the mark, and so does what the other one has read", () => {
    const hand = chatsInHand();
    hand.rows(ownRow({ id: 5 }));
    hand.apply({ kind: "mark", key: FRIEND_CHAT, isOn: true });
    hand.apply({ kind: "read", key: FRIEND_CHAT, side: "mine", upTo: 5 });
    hand.apply({ kind: "read", key: FRIEND_CHAT, side: "theirs", upTo: null });
    expect(hand.chat()).toMatchObject({ isMarkedUnread: true, readId: 5, theirReadId: 5 });
    hand.apply({ kind: "mark", key: FRIEND_CHAT, isOn: false });
    expect(hand.chat().isMarkedUnread).toBe(false);
  });

  test("M12 reading all of a chat reads up to the newest that is known, in memory or not", () => {
    const readAll = (hand: ReturnType<typeof chatsInHand>, key: ChatKey) => {
      hand.apply({ kind: "read", key, side: "mine", upTo: null });
      return hand.chat(key).readId;
    };
    const mine = chatsInHand();
    mine.rows(ownRow({ id: 5 }));
    expect(readAll(mine, FRIEND_CHAT)).toBe(5);
    const cold = chatsInHand();
    const bare = {
      ...mine.chat(),
      readId: -1,
      window: { ...mine.chat().window, messages: [], hasOlder: true },
    };
    cold.apply({ kind: "restore", chats: [bare] });
    expect(readAll(cold, FRIEND_CHAT)).toBe(5);
    const nothing = chatsInHand();
    nothing.apply({ kind: "open", key: FRIEND_CHAT, now: 1 });
    expect(readAll(nothing, FRIEND_CHAT)).toBe(-1);
  });

  test("N5 in the system chat up to the last seqNo, whatever its id, and also one that is not unread", () => {
    const hand = chatsInHand();
    const read = { type: MessageType.SYSTEM_MESSAGE, isTop: false };
    hand.apply(systemInput(systemRow({ seqNo: 1, ...read })));
    hand.apply(systemInput(systemRow({ seqNo: 2, content: JSON.stringify(requestVO({ status: 2 })) })));
    const known = hand.chat(SYSTEM_CHAT);
    hand.apply({ kind: "read", key: SYSTEM_CHAT, side: "mine", upTo: null });
    expect(hand.chat(SYSTEM_CHAT)).toMatchObject({ readId: 2, unread: 0 });
    const cold = chatsInHand();
    cold.apply({ kind: "restore", chats: [{ ...known, window: { ...known.window, messages: [] } }] });
    cold.apply({ kind: "read", key: SYSTEM_CHAT, side: "mine", upTo: null });
    expect(cold.chat(SYSTEM_CHAT)).toMatchObject({ readId: 1, unread: 0 });
  });

  test("M47 what is meant for chats nobody knows is nothing", () => {
    const hand = chatsInHand();
    const key = FRIEND_CHAT;
    hand.apply(
      { kind: "read", key, side: "mine", upTo: 5 },
      { kind: "sending", key, tmpId: "a", sending: "failed", failure: null },
      { kind: "discard", key, tmpId: "a" },
      { kind: "mark", key, isOn: true },
      { kind: "remove", key },
      { kind: "unhide", key, ids: [5], messages: [] },
      { kind: "renew", key },
      { kind: "older", key, older: "loading" },
      { kind: "newer", key, newer: "loading" },
      { kind: "trim", key, below: 5, at: 5 },
      { kind: "settings", key, isTop: true, msgRemind: 0 },
      { kind: "page", key, page: { messages: [talk(5)], isFresh: true, from: 0, to: 6 }, use: "older" },
    );
    expect(hand.state.byKey).toEqual({});
  });

  test("M27 what a page asks for is shown at both ends apart", () => {
    const hand = chatsInHand();
    hand.rows(privateRow({ id: 5 }));
    hand.apply({ kind: "older", key: FRIEND_CHAT, older: "loading" });
    expect(hand.chat().window).toMatchObject({ older: "loading", newer: "idle" });
    hand.apply({ kind: "newer", key: FRIEND_CHAT, newer: "failed" });
    expect(hand.chat().window).toMatchObject({ older: "loading", newer: "failed" });
  });

  test("M27 of a page from the server the disk is told what memory has, which may be newer", () => {
    const hand = chatsInHand({ floors: { PRIVATE: 5, GROUP: 0, SYSTEM: 0 } });
    hand.rows(privateRow({ id: 5, content: "better", isEdited: true, editedAt: 9 }));
    const page = { messages: [talk(4), talk(5)], isFresh: true, from: 4, to: 6 };
    const { rows } = hand.apply({ kind: "page", key: FRIEND_CHAT, page, use: "older" });
    expect(rows.map(({ key, message, isOutside }) => [key, message.content, isOutside])).toEqual([
      [FRIEND_CHAT, "text 4", true],
      [FRIEND_CHAT, "better", true],
    ]);
    const far = { messages: [talk(1), talk(900)], isFresh: true, from: 1, to: 2 };
    const told = hand.apply({ kind: "page", key: FRIEND_CHAT, page: far, use: "older" });
    expect(told.rows.map(({ message }) => message.id)).toEqual([1, 900]);
  });

  test("M28 of what stands at a gap its first row stays, and all when the gap was known", () => {
    const hand = chatsInHand();
    hand.rows(
      privateRow({ id: 5 }),
      privateRow({ id: 99 }),
      privateRow({ id: 100 }),
      privateRow({ id: 101 }),
    );
    hand.apply({ kind: "echo", key: FRIEND_CHAT, message: echo("a") });
    hand.apply({ kind: "gap", type: "PRIVATE", fromId: 100, upTo: 5 });
    expect(hand.ids()).toEqual([100, 101, null]);
    expect(hand.chat()).toMatchObject({
      window: { hasOlder: true },
      book: { knownFrom: 100, islands: [{ from: 0, to: 6 }] },
    });
    const before = hand.chat();
    hand.apply({ kind: "gap", type: "PRIVATE", fromId: 100, upTo: 5 });
    expect(hand.chat()).toBe(before);
  });

  test("M28 a gap reaches the chats that the very batch brings, too", () => {
    const hand = chatsInHand();
    const gap = { kind: "gap", type: "PRIVATE", fromId: 100, upTo: 6 } as const;
    hand.apply(
      { kind: "restore", chats: [chat({ key: OTHER_CHAT })] },
      privateInput(privateRow({ id: 5 })),
      gap,
    );
    expect([hand.chat().book.knownFrom, hand.chat(OTHER_CHAT).book.knownFrom]).toEqual([100, 100]);
  });

  test("R8 what the disk has let go of is known no more, and the latest trim stays noted", () => {
    const hand = chatsInHand();
    hand.rows(privateRow({ id: 50 }));
    hand.apply({ kind: "trim", key: FRIEND_CHAT, below: 40, at: 9 });
    expect(hand.chat().book).toMatchObject({ knownFrom: 40, trimmedAt: 9 });
    hand.apply({ kind: "trim", key: FRIEND_CHAT, below: 30, at: 8 });
    expect(hand.chat().book).toMatchObject({ knownFrom: 40, trimmedAt: 9 });
  });

  test("M53 taking another chat from the list leaves the open one open", () => {
    const hand = chatsInHand();
    hand.rows(privateRow({ id: 5 }), fromThird(6));
    hand.apply({ kind: "open", key: FRIEND_CHAT, now: 1 }, { kind: "remove", key: OTHER_CHAT });
    expect(hand.state.openKey).toBe(FRIEND_CHAT);
    expect(hand.chat(OTHER_CHAT)).toMatchObject({ isRemoved: true, readId: 6, unread: 0 });
  });

  test("I40 of a chat that was written in before the disk was read the rows stay, and echoes are left to the outbox", () => {
    const stored = chatsInHand();
    stored.rows(privateRow({ id: 5 }));
    const hand = chatsInHand();
    hand.rows(privateRow({ id: 7 }));
    hand.apply({ kind: "echo", key: FRIEND_CHAT, message: echo("a") });
    const { rows } = hand.apply({ kind: "restore", chats: [stored.chat()] });
    expect(hand.ids()).toEqual([5, 7]);
    expect(hand.chat()).toMatchObject({ unread: 2, preview: { text: "text 7" } });
    expect(rows.map(({ message }) => message.id)).toEqual([7]);
  });

  test("M21 the same order and the same flags are the same values", () => {
    const hand = chatsInHand();
    hand.rows(privateRow({ id: 5 }));
    hand.apply({ kind: "loading", type: "GROUP", isOn: true });
    expect(hand.state.loading).toEqual({ PRIVATE: false, GROUP: true, SYSTEM: false });
    const before = hand.state;
    hand.apply({ kind: "loading", type: "GROUP", isOn: false });
    expect(hand.state.byKey).toBe(before.byKey);
    expect(hand.state.loading).toEqual({ PRIVATE: false, GROUP: false, SYSTEM: false });
    hand.apply({ kind: "close" }, { kind: "gap", type: "GROUP", fromId: 9, upTo: 0 });
    expect(hand.state.openKey).toBeNull();
  });

  test("M26 a chat that is not open keeps as many as it is told to", () => {
    const hand = chatsInHand({ closedWindow: 2 });
    hand.rows(privateRow({ id: 5 }), privateRow({ id: 6 }), privateRow({ id: 7 }));
    hand.apply({ kind: "echo", key: FRIEND_CHAT, message: echo("a") });
    expect(hand.ids()).toEqual([7, null]);
  });

  test("M40 an open chat holds 1,200 messages, and with one more the newest 600", () => {
    const hand = chatsInHand();
    hand.apply({ kind: "open", key: FRIEND_CHAT, now: NOON });
    hand.rows(...Array.from({ length: 1_200 }, (_, i) => privateRow({ id: i + 1 })));
    expect(hand.ids()).toHaveLength(1_200);
    hand.rows(privateRow({ id: 1_201 }));
    expect([hand.ids()[0], hand.ids().length]).toEqual([602, 600]);
  });
});
