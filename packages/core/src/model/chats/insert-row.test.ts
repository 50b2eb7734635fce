import { MessageStatus, MessageType } from "@parley/protocol/codes";
import { describe, expect, test } from "vitest";
import {
  chat,
  localEcho,
  FRIEND,
  FRIEND_CHAT,
  ME,
  NOON,
  ownRow,
  privateRow,
} from "../../testing/builders.ts";
import { createChatHarness, privateInput } from "../../testing/chat-harness.ts";
import { type ChatBuilder, beginChat } from "./chat-builder.ts";
import { addLocalEcho, discardLocalEcho, setSending } from "./local-echoes.ts";
import { insertRow, updateNewestRow, advanceReadPosition, withReadStatus } from "./insert-row.ts";
import { newChatSync } from "./new-chat.ts";
import { toChatMessage } from "./chat-rows.ts";
import type { Chat, ChatMessage } from "../state.ts";

describe("merging", () => {
  test("M1 a row with a known id is merged into its message", () => {
    const harness = createChatHarness();
    harness.rows(privateRow({ id: 5 }), privateRow({ id: 6 }));
    harness.rows(privateRow({ id: 5, content: "edited", isEdited: true, editedAt: NOON }));
    expect(harness.texts()).toEqual(["edited", "text 6"]);
  });

  test("M2 the server's row is merged into its local echo, which keeps its key and moves to its place by id", () => {
    const harness = createChatHarness();
    harness.dispatch({ kind: "localEcho", key: FRIEND_CHAT, message: localEcho("tmp-8") });
    harness.rows(privateRow({ id: 9 }), ownRow({ id: 8, content: "echo tmp-8" }));
    expect(harness.ids()).toEqual([8, 9]);
    expect(harness.chat().window.messages[0]).toMatchObject({
      key: "tmp-8",
      sending: null,
      status: MessageStatus.SENDED,
    });
  });

  test("M2 my row from another device has its tmpId as its key", () => {
    const harness = createChatHarness();
    harness.rows(ownRow({ id: 8 }));
    expect(harness.chat().window.messages[0]?.key).toBe("tmp-8");
  });

  test("M2 a local echo that is added after its row makes no second message", () => {
    const harness = createChatHarness();
    harness.rows(ownRow({ id: 8 }), privateRow({ id: 9 }));
    harness.dispatch({ kind: "localEcho", key: FRIEND_CHAT, message: localEcho("tmp-8") });
    expect(harness.ids()).toEqual([8, 9]);
  });

  test("M2 a local echo is removed once its row is known", () => {
    const harness = createChatHarness();
    harness.rows(privateRow({ id: 5 }));
    harness.dispatch({ kind: "localEcho", key: FRIEND_CHAT, message: localEcho("tmp-8") });
    harness.rows(ownRow({ id: 8, tmpId: "another" }));
    expect(harness.ids()).toEqual([5, 8, null]);
    harness.rows(ownRow({ id: 8 }));
    expect(harness.ids()).toEqual([5, 8]);
  });

  test("M3 a repeated row changes nothing", () => {
    const harness = createChatHarness();
    harness.rows(privateRow({ id: 5 }), ownRow({ id: 6 }));
    const before = harness.chat();
    harness.rows(privateRow({ id: 5 }), ownRow({ id: 6 }));
    expect(harness.chat().window.messages).toEqual(before.window.messages);
    expect(harness.chat().window.messages[0]).toBe(before.window.messages[0]);
    expect(harness.chat().unread).toBe(1);
  });

  test.each([
    [
      "recalled",
      { status: MessageStatus.RECALL, type: MessageType.TIP_TEXT, content: "" },
      MessageStatus.RECALL,
      "",
    ],
    ["edited", { content: "new", isEdited: true, editedAt: NOON + 9 }, MessageStatus.SENDED, "new"],
    ["read", { status: MessageStatus.READED }, MessageStatus.READED, "text 5"],
  ])("M4 a message that is %s stays so when an old copy arrives later", (_name, part, status, content) => {
    const harness = createChatHarness();
    harness.rows(privateRow({ id: 5, ...part }));
    harness.rows(privateRow({ id: 5 }));
    expect(harness.chat().window.messages[0]).toMatchObject({ status, content });
  });

  test("M4 of two edits the later one stays", () => {
    const harness = createChatHarness();
    harness.rows(privateRow({ id: 5, content: "second", isEdited: true, editedAt: NOON + 2 }));
    harness.rows(privateRow({ id: 5, content: "first", isEdited: true, editedAt: NOON + 1 }));
    expect(harness.texts()).toEqual(["second"]);
  });

  test("M5 another person's tmpId never matches my message", () => {
    const harness = createChatHarness();
    harness.dispatch({ kind: "localEcho", key: FRIEND_CHAT, message: localEcho("same") });
    harness.rows(privateRow({ id: 5, tmpId: "same" }));
    expect(harness.ids()).toEqual([5, null]);
    expect(new Set(harness.chat().window.messages.map((message) => message.key)).size).toBe(2);
  });
});

describe("order", () => {
  test("M6 rows are ordered by id", () => {
    const harness = createChatHarness();
    harness.rows(privateRow({ id: 5 }), privateRow({ id: 6 }));
    harness.rows(privateRow({ id: 7 }));
    expect(harness.ids()).toEqual([5, 6, 7]);
  });

  test("M7 a late row is inserted before the first larger id, and unsent messages stay last", () => {
    const harness = createChatHarness();
    harness.rows(privateRow({ id: 5 }), privateRow({ id: 9 }));
    harness.dispatch({ kind: "localEcho", key: FRIEND_CHAT, message: localEcho("a") });
    harness.rows(privateRow({ id: 7 }), privateRow({ id: 10 }));
    expect(harness.ids()).toEqual([5, 7, 9, 10, null]);
  });

  test("M8 a row below the window is saved and stays out of memory", () => {
    const harness = createChatHarness();
    harness.rows(...Array.from({ length: 80 }, (_, i) => privateRow({ id: i + 10 })));
    const { rows } = harness.rows(privateRow({ id: 3 }));
    expect(harness.ids()[0]).toBe(30);
    expect(rows).toMatchObject([{ isOutsideWindow: true, message: { id: 3 } }]);
  });

  test("M8 in a chat without a loaded window, a row up to the newest one stays out of memory", () => {
    const harness = createChatHarness();
    harness.rows(privateRow({ id: 5 }));
    const known = harness.chat();
    const withoutMessages = { ...known, window: { ...known.window, messages: [], hasOlder: true } };
    const restored = createChatHarness();
    restored.dispatch({ kind: "restore", chats: [withoutMessages] });
    expect(restored.rows(privateRow({ id: 5 })).rows[0]?.isOutsideWindow).toBe(true);
    expect(restored.rows(privateRow({ id: 6 })).rows[0]?.isOutsideWindow).toBe(false);
    expect(restored.ids()).toEqual([6]);
  });
});

describe("unread", () => {
  test("M9 a repeated message of another user counts once", () => {
    const harness = createChatHarness();
    harness.rows(privateRow({ id: 5 }), privateRow({ id: 6 }));
    harness.rows(privateRow({ id: 6 }), privateRow({ id: 5 }));
    expect(harness.chat().unread).toBe(2);
  });

  test("M9 a repeated message below the window counts once", () => {
    const harness = createChatHarness();
    harness.rows(...Array.from({ length: 80 }, (_, i) => privateRow({ id: i + 10 })));
    harness.rows(privateRow({ id: 12 }), privateRow({ id: 3 }), privateRow({ id: 3 }));
    expect(harness.chat().unread).toBe(81);
  });

  test.each([
    ["my own", ownRow({ id: 5 })],
    ["a note to myself", ownRow({ id: 5, recvId: ME, status: MessageStatus.READED })],
    ["a read one", privateRow({ id: 5, status: MessageStatus.READED })],
    ["a recalled one", privateRow({ id: 5, status: MessageStatus.RECALL })],
    ["a tip", privateRow({ id: 5, type: MessageType.TIP_TEXT })],
  ])("M10 %s does not count", (_name, row) => {
    const harness = createChatHarness();
    harness.rows(row);
    expect(Object.values(harness.state.byKey).map((chat) => chat.unread)).toEqual([0]);
  });

  test("M10 a message at or below the read position does not count", () => {
    const harness = createChatHarness();
    harness.rows(privateRow({ id: 5 }));
    harness.dispatch({ kind: "read", key: FRIEND_CHAT, side: "mine", upTo: 7 });
    harness.rows(privateRow({ id: 7 }), privateRow({ id: 8 }));
    expect(harness.chat().unread).toBe(1);
  });

  test.each([
    ["cancelled", 1],
    ["unanswered", 1],
    ["busy", 1],
    ["failed", 1],
    ["rejected", 0],
    ["ended", 0],
  ])("M11 a call with the result %s makes an unread count of %i", (result, count) => {
    const harness = createChatHarness();
    harness.rows(privateRow({ id: 5, type: MessageType.ACT_RT_VOICE, act: { result, seconds: 0 } }));
    expect(harness.chat().unread).toBe(count);
  });

  test("M12 reading up to a message leaves later ones unread; reading without a limit leaves none", () => {
    const harness = createChatHarness();
    harness.rows(privateRow({ id: 5 }), privateRow({ id: 6 }), privateRow({ id: 7 }));
    harness.dispatch({ kind: "read", key: FRIEND_CHAT, side: "mine", upTo: 6 });
    expect(harness.chat().unread).toBe(1);
    expect(harness.chat().window.messages.map((message) => message.status)).toEqual([3, 3, 1]);
    harness.dispatch({ kind: "read", key: FRIEND_CHAT, side: "mine", upTo: null });
    expect(harness.chat()).toMatchObject({ unread: 0, readId: 7 });
  });

  test("M13 a read position never moves back", () => {
    const harness = createChatHarness();
    harness.rows(privateRow({ id: 5 }), privateRow({ id: 6 }));
    harness.dispatch({ kind: "read", key: FRIEND_CHAT, side: "mine", upTo: 6 });
    harness.dispatch({ kind: "read", key: FRIEND_CHAT, side: "mine", upTo: 5 });
    expect(harness.chat()).toMatchObject({ unread: 0, readId: 6 });
  });

  test("M14 a receipt marks only my messages up to its maxId as read", () => {
    const harness = createChatHarness();
    harness.rows(ownRow({ id: 5 }), ownRow({ id: 6 }), ownRow({ id: 7 }));
    harness.dispatch({ kind: "read", key: FRIEND_CHAT, side: "theirs", upTo: 6 });
    expect(harness.chat().window.messages.map((message) => message.status)).toEqual([3, 3, 1]);
  });

  test("M15 a row that arrives as read moves the read position of its reader", () => {
    const harness = createChatHarness();
    harness.rows(privateRow({ id: 5 }), privateRow({ id: 6, status: MessageStatus.READED }));
    harness.rows(ownRow({ id: 7, status: MessageStatus.READED }));
    expect(harness.chat()).toMatchObject({ readId: 6, theirReadId: 7, unread: 0 });
  });
});

describe("time tips", () => {
  const at = (id: number, minutes: number, extraMs = 0) =>
    privateRow({ id, sendTime: NOON + minutes * 60_000 + extraMs });
  const tips = (harness: ReturnType<typeof createChatHarness>) =>
    harness.chat().window.messages.map((message) => message.hasTimeTip);

  test("M16 a time tip is due when the last one is more than 600,000 ms older, and not at exactly that", () => {
    const harness = createChatHarness();
    harness.rows(at(1, 0), at(2, 9), at(3, 10), at(4, 10, 1), at(5, 15));
    expect(tips(harness)).toEqual([true, false, false, true, false]);
  });

  test("M16 the last time tip counts even if it is no longer in memory", () => {
    const harness = createChatHarness();
    harness.rows(...Array.from({ length: 70 }, (_, i) => at(i + 1, 0, i)));
    harness.rows(at(100, 9), at(101, 11));
    expect(tips(harness).slice(-2)).toEqual([false, true]);
  });

  test("M17 a late message makes the time tips behind it be computed again", () => {
    const harness = createChatHarness();
    harness.rows(at(1, 0), at(3, 12));
    harness.rows(at(2, 11));
    expect(tips(harness)).toEqual([true, true, false]);
  });
});

describe("unknown kinds", () => {
  test("M25 a row of an unknown type is shown with its content", () => {
    const harness = createChatHarness();
    harness.dispatch(privateInput(privateRow({ id: 5, type: 777, content: "new kind" })));
    expect(harness.texts()).toEqual(["new kind"]);
    expect(harness.chat().preview).toMatchObject({ key: "unknown", text: "new kind" });
    expect(harness.chat().window.messages[0]?.sendId).toBe(FRIEND);
  });
});

describe("rows and the window", () => {
  const message = (id: number, part: Partial<ChatMessage> = {}): ChatMessage => ({
    ...toChatMessage(privateRow({ id }), ME),
    ...part,
  });
  function builderOf(
    messages: readonly ChatMessage[],
    part: Partial<Chat["window"]> = {},
    sync = {},
  ): ChatBuilder {
    const window = {
      messages,
      hasOlder: false,
      hasNewer: false,
      older: "idle",
      newer: "idle",
      ...part,
    } as const;
    return beginChat(chat({ key: FRIEND_CHAT, window, sync: { ...newChatSync(0), ...sync } }), ME);
  }
  const ids = (builder: ChatBuilder) => builder.messages.map(({ id }) => id);
  const newest = (id: number) => ({ id, position: id, sendNickName: "", sendTime: 0, preview: PREVIEW });
  const PREVIEW = { key: "content", text: "", tip: null, sendId: 2, sending: null } as const;

  test("M8 a row below the window stays out, and one between or behind its messages is inserted", () => {
    const builder = builderOf([message(5), message(8)], { hasOlder: true });
    expect(insertRow(builder, message(4))).toEqual({ message: message(4), isOutsideWindow: true });
    expect(insertRow(builder, message(6))).toMatchObject({ message: { id: 6 }, isOutsideWindow: false });
    expect(insertRow(builder, message(9))).toMatchObject({ message: { id: 9 }, isOutsideWindow: false });
    expect(ids(builder)).toEqual([5, 6, 8, 9]);
    const whole = builderOf([message(5)]);
    expect(insertRow(whole, message(4)).isOutsideWindow).toBe(false);
    expect(ids(whole)).toEqual([4, 5]);
  });

  test("M8 in an empty window, only rows newer than the newest known row are inserted", () => {
    const at = (id: number) =>
      insertRow(builderOf([], { hasOlder: true }, { newest: newest(5) }), message(id)).isOutsideWindow;
    expect([4, 5, 6].map(at)).toEqual([true, true, false]);
    expect(insertRow(builderOf([], { hasOlder: true }), message(1)).isOutsideWindow).toBe(false);
  });

  test("M37 a row above a window that shows the past stays out and gets its time tip", () => {
    const above = (sync: object, id = 6) => {
      const builder = builderOf([message(5)], { hasNewer: true }, sync);
      const insertedRow = insertRow(builder, message(id));
      return [insertedRow.isOutsideWindow, insertedRow.message.hasTimeTip, builder.chat.sync.newestTimeTip];
    };
    const time = NOON + 6_000;
    expect(above({})).toEqual([true, true, time]);
    expect(above({ newest: newest(5) })).toEqual([true, true, time]);
    expect(above({ newest: newest(6) })).toEqual([true, false, null]);
    expect(above({ newest: newest(7) })).toEqual([true, false, null]);
    expect(above({ newestTimeTip: time - 600_000 })).toEqual([true, false, time - 600_000]);
    expect(above({ newestTimeTip: time - 600_001 })).toEqual([true, true, time]);
    expect(above({}, 4)).toEqual([false, true, null]);
  });

  test("M2 a row replaces the message with the same tmpId and another id, wherever it belongs", () => {
    const mine = (id: number) => toChatMessage(ownRow({ id, tmpId: "a" }), ME);
    const move = (id: number, part: Partial<Chat["window"]>) => {
      const builder = builderOf([message(5), mine(7), message(9)], part);
      const { message: inserted, isOutsideWindow } = insertRow(builder, mine(id));
      return [inserted.id, inserted.key, isOutsideWindow, ids(builder)];
    };
    expect(move(8, {})).toEqual([8, "a", false, [5, 8, 9]]);
    expect(move(6, {})).toEqual([6, "a", false, [5, 6, 9]]);
    expect(move(4, { hasOlder: true })).toEqual([4, "a", true, [5, 9]]);
    expect(move(10, { hasNewer: true })).toEqual([10, "a", true, [5, 9]]);
  });

  test("M2 a known row removes its local echo, and a repeated one changes nothing", () => {
    const mine = toChatMessage(ownRow({ id: 7, tmpId: "a" }), ME);
    const builder = builderOf([{ ...mine, tmpId: "b", key: "b" }, localEcho("a")]);
    expect(insertRow(builder, mine)).toMatchObject({ isOutsideWindow: false, message: { id: 7, key: "b" } });
    expect(ids(builder)).toEqual([7]);
    const again = builderOf([mine]);
    const insertedRow = insertRow(again, { ...mine });
    expect(insertedRow.message).toBe(mine);
    expect(ids(again)).toEqual([7]);
  });

  test("M18 the newest row is the one with the largest id, in its latest copy", () => {
    const builder = builderOf([], {}, { newest: newest(5), needsPreview: true });
    updateNewestRow(builder, message(4));
    updateNewestRow(builder, localEcho("a"));
    updateNewestRow(builder, message(6, { type: MessageType.TIP_TIME }));
    expect(builder.chat.sync).toMatchObject({ newest: newest(5), needsPreview: true });
    updateNewestRow(builder, message(5));
    expect(builder.chat.sync).toMatchObject({
      newest: {
        id: 5,
        position: 5,
        sendNickName: "Friend",
        sendTime: NOON + 5_000,
        preview: { text: "text 5" },
      },
      needsPreview: false,
    });
  });

  test("M13 a read position moves up on its own side, and mine removes the unread messages up to it", () => {
    const builder = builderOf([], {}, { unread: [5, 6, 7], unreadSenders: [2, 2, 2] });
    advanceReadPosition(builder, "theirs", 9);
    expect(builder).toMatchObject({
      chat: { readId: -1, theirReadId: 9 },
      unread: [5, 6, 7],
      isChanged: true,
    });
    advanceReadPosition(builder, "mine", 6);
    expect(builder).toMatchObject({ chat: { readId: 6, theirReadId: 9 }, unread: [7] });
    const same = builderOf([]);
    advanceReadPosition(same, "mine", -1);
    expect(same.isChanged).toBe(false);
  });

  test("M12 M14 only a confirmed message at or below the position of its reader is read", () => {
    const positions = { readId: 5, theirReadId: 6 };
    const status = (sentOrReceived: ChatMessage) => withReadStatus(sentOrReceived, positions).status;
    expect([5, 6].map((id) => status(message(id)))).toEqual([MessageStatus.READED, MessageStatus.SENDED]);
    const mine = (id: number) => toChatMessage(ownRow({ id }), ME);
    expect([6, 7].map((id) => status(mine(id)))).toEqual([MessageStatus.READED, MessageStatus.SENDED]);
    expect(status(message(1, { status: MessageStatus.RECALL }))).toBe(MessageStatus.RECALL);
    const sent = localEcho("a", { status: MessageStatus.SENDED });
    expect(withReadStatus(sent, { readId: Infinity, theirReadId: Infinity })).toBe(sent);
  });

  test("M30 a local echo is not older than the newest row, is added once, and changes until it is discarded", () => {
    const builder = builderOf([], {}, { newest: { ...newest(5), sendTime: NOON + 7 } });
    addLocalEcho(builder, localEcho("a", { sendTime: NOON }));
    addLocalEcho(builder, localEcho("b", { sendTime: NOON + 8 }));
    addLocalEcho(builder, localEcho("a"));
    addLocalEcho(builder, localEcho("c", { tmpId: null, sendTime: NOON }));
    expect(builder.messages.map(({ key, sendTime }) => [key, sendTime - NOON])).toEqual([
      ["a", 7],
      ["b", 8],
      ["c", 7],
    ]);
    const alone = builderOf([]);
    addLocalEcho(alone, localEcho("a", { sendTime: 0 }));
    expect(alone.messages[0]?.sendTime).toBe(0);
    setSending(alone, "b", "failed", null);
    discardLocalEcho(alone, "b");
    expect(alone.messages).toHaveLength(1);
    setSending(alone, "a", "failed", { kind: "loggedOut" });
    expect(alone.messages[0]).toMatchObject({ sending: "failed", failure: { kind: "loggedOut" } });
    discardLocalEcho(alone, "a");
    expect(alone.messages).toEqual([]);
  });

  test("O5 only a message that the server does not have is discarded", () => {
    const builder = builderOf([toChatMessage(ownRow({ id: 7, tmpId: "a" }), ME), localEcho("b")]);
    discardLocalEcho(builder, "a");
    expect(ids(builder)).toEqual([7, null]);
  });
});
