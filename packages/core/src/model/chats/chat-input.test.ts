import { MessageType } from "@parley/protocol/codes";
import { describe, expect, test } from "vitest";
import {
  chat,
  localEcho,
  FRIEND_CHAT,
  NOON,
  ownRow,
  privateRow,
  requestVO,
  systemRow,
} from "../../testing/builders.ts";
import { createChatHarness, privateInput, systemInput } from "../../testing/chat-harness.ts";
import { SYSTEM_CHAT, toChatMessage } from "./chat-rows.ts";
import type { ChatKey } from "../state.ts";

const OTHER_CHAT: ChatKey = "PRIVATE:3";
const fromThird = (id: number) => privateRow({ id, sendId: 3 });

describe("one input", () => {
  const friendMessage = (id: number, part = {}) => toChatMessage(privateRow({ id, ...part }), 1);

  test("M31 a chat without messages keeps the time of its first opening when it is opened again", () => {
    const harness = createChatHarness();
    harness.dispatch({ kind: "open", key: FRIEND_CHAT, now: 5 }, { kind: "open", key: FRIEND_CHAT, now: 6 });
    expect(harness.chat()).toMatchObject({ lastSendTime: 5, sync: { openedAt: 5 } });
    harness.dispatch({ kind: "close" });
    harness.dispatch({ kind: "open", key: FRIEND_CHAT, now: 9 });
    expect(harness.chat()).toMatchObject({ lastSendTime: 5, sync: { openedAt: 9 } });
    harness.dispatch({ kind: "open", key: FRIEND_CHAT, now: 10 });
    expect(harness.chat().sync.openedAt).toBe(9);
    harness.dispatch({ kind: "open", key: OTHER_CHAT, now: 11 });
    expect(harness.state.openKey).toBe(OTHER_CHAT);
  });

  test("M31 opening an unlisted or removed chat without a newest row sorts it at the current time", () => {
    const harness = createChatHarness();
    harness.dispatch({ kind: "deleteForMe", key: FRIEND_CHAT, ids: [5] });
    harness.dispatch({ kind: "open", key: FRIEND_CHAT, now: 7 });
    expect(harness.chat()).toMatchObject({ isRemoved: false, lastSendTime: 7 });
    harness.dispatch({ kind: "remove", key: FRIEND_CHAT }, { kind: "open", key: FRIEND_CHAT, now: 8 });
    expect(harness.chat()).toMatchObject({ isRemoved: false, lastSendTime: 7 });
  });

  test("M12 reading a whole chat reads up to its newest known row, even if that is not in memory", () => {
    const readAll = (harness: ReturnType<typeof createChatHarness>, key: ChatKey) => {
      harness.dispatch({ kind: "read", key, side: "mine", upTo: null });
      return harness.chat(key).readId;
    };
    const loaded = createChatHarness();
    loaded.rows(ownRow({ id: 5 }));
    expect(readAll(loaded, FRIEND_CHAT)).toBe(5);
    const restored = createChatHarness();
    const withoutMessages = {
      ...loaded.chat(),
      readId: -1,
      window: { ...loaded.chat().window, messages: [], hasOlder: true },
    };
    restored.dispatch({ kind: "restore", chats: [withoutMessages] });
    expect(readAll(restored, FRIEND_CHAT)).toBe(5);
    const empty = createChatHarness();
    empty.dispatch({ kind: "open", key: FRIEND_CHAT, now: 1 });
    expect(readAll(empty, FRIEND_CHAT)).toBe(-1);
  });

  test("N5 reading the whole system chat reads up to the last seqNo and not to a row id", () => {
    const harness = createChatHarness();
    const notice = { type: MessageType.SYSTEM_MESSAGE, isTop: false };
    harness.dispatch(systemInput(systemRow({ seqNo: 1, ...notice })));
    harness.dispatch(systemInput(systemRow({ seqNo: 2, content: JSON.stringify(requestVO({ status: 2 })) })));
    const known = harness.chat(SYSTEM_CHAT);
    harness.dispatch({ kind: "read", key: SYSTEM_CHAT, side: "mine", upTo: null });
    expect(harness.chat(SYSTEM_CHAT)).toMatchObject({ readId: 2, unread: 0 });
    const restored = createChatHarness();
    restored.dispatch({ kind: "restore", chats: [{ ...known, window: { ...known.window, messages: [] } }] });
    restored.dispatch({ kind: "read", key: SYSTEM_CHAT, side: "mine", upTo: null });
    expect(restored.chat(SYSTEM_CHAT)).toMatchObject({ readId: 1, unread: 0 });
  });

  test("M47 an input for an unknown chat changes nothing", () => {
    const harness = createChatHarness();
    const key = FRIEND_CHAT;
    harness.dispatch(
      { kind: "read", key, side: "mine", upTo: 5 },
      { kind: "sending", key, tmpId: "a", sending: "failed", failure: null },
      { kind: "discard", key, tmpId: "a" },
      { kind: "remove", key },
      { kind: "restoreDeleted", key, ids: [5], messages: [] },
      { kind: "invalidate", key },
      { kind: "older", key, older: "loading" },
      { kind: "newer", key, newer: "loading" },
      { kind: "evict", key, below: 5, at: 5 },
      { kind: "settings", key, isTop: true, msgRemind: 0 },
      {
        kind: "page",
        key,
        page: { messages: [friendMessage(5)], isFromServer: true, from: 0, to: 6 },
        purpose: "older",
      },
    );
    expect(harness.state.byKey).toEqual({});
  });

  test("M27 the loading state is kept separately for the older and the newer end", () => {
    const harness = createChatHarness();
    harness.rows(privateRow({ id: 5 }));
    harness.dispatch({ kind: "older", key: FRIEND_CHAT, older: "loading" });
    expect(harness.chat().window).toMatchObject({ older: "loading", newer: "idle" });
    harness.dispatch({ kind: "newer", key: FRIEND_CHAT, newer: "failed" });
    expect(harness.chat().window).toMatchObject({ older: "loading", newer: "failed" });
  });

  test("M27 a page from the server writes the newer copy from memory to the database", () => {
    const harness = createChatHarness({ historyStart: { PRIVATE: 5, GROUP: 0, SYSTEM: 0 } });
    harness.rows(privateRow({ id: 5, content: "better", isEdited: true, editedAt: 9 }));
    const page = { messages: [friendMessage(4), friendMessage(5)], isFromServer: true, from: 4, to: 6 };
    const { rows } = harness.dispatch({ kind: "page", key: FRIEND_CHAT, page, purpose: "older" });
    expect(rows.map(({ key, message, isOutsideWindow }) => [key, message.content, isOutsideWindow])).toEqual([
      [FRIEND_CHAT, "text 4", true],
      [FRIEND_CHAT, "better", true],
    ]);
    const far = { messages: [friendMessage(1), friendMessage(900)], isFromServer: true, from: 1, to: 2 };
    const change = harness.dispatch({ kind: "page", key: FRIEND_CHAT, page: far, purpose: "older" });
    expect(change.rows.map(({ message }) => message.id)).toEqual([1, 900]);
  });

  test("M28 a gap keeps the row at its upper end, and a known gap changes nothing", () => {
    const harness = createChatHarness();
    harness.rows(
      privateRow({ id: 5 }),
      privateRow({ id: 99 }),
      privateRow({ id: 100 }),
      privateRow({ id: 101 }),
    );
    harness.dispatch({ kind: "localEcho", key: FRIEND_CHAT, message: localEcho("a") });
    harness.dispatch({ kind: "gap", type: "PRIVATE", fromId: 100, upTo: 5 });
    expect(harness.ids()).toEqual([100, 101, null]);
    expect(harness.chat()).toMatchObject({
      window: { hasOlder: true },
      sync: { knownFrom: 100, olderRanges: [{ from: 0, to: 6 }] },
    });
    const before = harness.chat();
    harness.dispatch({ kind: "gap", type: "PRIVATE", fromId: 100, upTo: 5 });
    expect(harness.chat()).toBe(before);
  });

  test("M28 a gap also applies to chats created by the same batch", () => {
    const harness = createChatHarness();
    const gap = { kind: "gap", type: "PRIVATE", fromId: 100, upTo: 6 } as const;
    harness.dispatch(
      { kind: "restore", chats: [chat({ key: OTHER_CHAT })] },
      privateInput(privateRow({ id: 5 })),
      gap,
    );
    expect([harness.chat().sync.knownFrom, harness.chat(OTHER_CHAT).sync.knownFrom]).toEqual([100, 100]);
  });

  test("M28 a gap of the first pull also cuts a chat that was opened before, so that no row is missing in it", () => {
    const harness = createChatHarness();
    const serverPage = (ids: readonly number[], to: number) =>
      ({
        kind: "page",
        key: FRIEND_CHAT,
        page: { messages: ids.map((id) => friendMessage(id)), from: 0, to, isFromServer: true },
        purpose: "older",
      }) as const;
    harness.dispatch({ kind: "open", key: FRIEND_CHAT, now: NOON, isUnknown: true });
    // The answers of two sends, with a page of what was before the first. The friend wrote 8 in between.
    harness.rows(ownRow({ id: 7 }));
    harness.dispatch(serverPage([5, 6], 7));
    harness.rows(ownRow({ id: 9 }));
    harness.dispatch({ kind: "gap", type: "PRIVATE", fromId: 9, upTo: 0 });
    expect(harness.chat().window.hasOlder).toBe(true);
    harness.rows(ownRow({ id: 9 }), privateRow({ id: 10 }));
    harness.dispatch({ kind: "known", key: FRIEND_CHAT, from: 9 });
    expect(harness.ids()).toEqual([9, 10]);
    harness.dispatch(serverPage([5, 6, 7, 8], 9));
    expect(harness.ids()).toEqual([5, 6, 7, 8, 9, 10]);
  });

  test("R8 evicted messages are no longer known, and the latest eviction time is kept", () => {
    const harness = createChatHarness();
    harness.rows(privateRow({ id: 50 }));
    harness.dispatch({ kind: "evict", key: FRIEND_CHAT, below: 40, at: 9 });
    expect(harness.chat().sync).toMatchObject({ knownFrom: 40, evictedAt: 9 });
    harness.dispatch({ kind: "evict", key: FRIEND_CHAT, below: 30, at: 8 });
    expect(harness.chat().sync).toMatchObject({ knownFrom: 40, evictedAt: 9 });
  });

  test("M53 removing another chat from the list keeps the open chat open", () => {
    const harness = createChatHarness();
    harness.rows(privateRow({ id: 5 }), fromThird(6));
    harness.dispatch({ kind: "open", key: FRIEND_CHAT, now: 1 }, { kind: "remove", key: OTHER_CHAT });
    expect(harness.state.openKey).toBe(FRIEND_CHAT);
    expect(harness.chat(OTHER_CHAT)).toMatchObject({ isRemoved: true, readId: 6, unread: 0 });
  });

  test("I40 restoring a chat that already has rows keeps them and leaves local echoes to the outbox", () => {
    const stored = createChatHarness();
    stored.rows(privateRow({ id: 5 }));
    const harness = createChatHarness();
    harness.rows(privateRow({ id: 7 }));
    harness.dispatch({ kind: "localEcho", key: FRIEND_CHAT, message: localEcho("a") });
    const { rows } = harness.dispatch({ kind: "restore", chats: [stored.chat()] });
    expect(harness.ids()).toEqual([5, 7]);
    expect(harness.chat()).toMatchObject({ unread: 2, preview: { text: "text 7" } });
    expect(rows.map(({ message }) => message.id)).toEqual([7]);
  });

  test("M21 an unchanged order and unchanged flags keep their identity", () => {
    const harness = createChatHarness();
    harness.rows(privateRow({ id: 5 }));
    harness.dispatch({ kind: "loading", type: "GROUP", isOn: true });
    expect(harness.state.loading).toEqual({ PRIVATE: false, GROUP: true, SYSTEM: false });
    const before = harness.state;
    harness.dispatch({ kind: "loading", type: "GROUP", isOn: false });
    expect(harness.state.byKey).toBe(before.byKey);
    expect(harness.state.loading).toEqual({ PRIVATE: false, GROUP: false, SYSTEM: false });
    harness.dispatch({ kind: "close" }, { kind: "gap", type: "GROUP", fromId: 9, upTo: 0 });
    expect(harness.state.openKey).toBeNull();
  });

  test("M26 a closed chat keeps the configured number of messages", () => {
    const harness = createChatHarness({ closedWindow: 2 });
    harness.rows(privateRow({ id: 5 }), privateRow({ id: 6 }), privateRow({ id: 7 }));
    harness.dispatch({ kind: "localEcho", key: FRIEND_CHAT, message: localEcho("a") });
    expect(harness.ids()).toEqual([7, null]);
  });

  test("M40 an open chat keeps up to 1,200 messages; one more cuts it to the newest 600", () => {
    const harness = createChatHarness();
    harness.dispatch({ kind: "open", key: FRIEND_CHAT, now: NOON });
    harness.rows(...Array.from({ length: 1_200 }, (_, i) => privateRow({ id: i + 1 })));
    expect(harness.ids()).toHaveLength(1_200);
    harness.rows(privateRow({ id: 1_201 }));
    expect([harness.ids()[0], harness.ids().length]).toEqual([602, 600]);
  });
});
