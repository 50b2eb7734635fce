import { MessageStatus, MessageType } from "@parley/protocol/codes";
import { describe, expect, test } from "vitest";
import { chat, echo, FRIEND, FRIEND_CHAT, ME, NOON, ownRow, privateRow } from "../testing/builders.ts";
import { chatsInHand, privateInput } from "../testing/chats.ts";
import { type ChatDraft, openDraft } from "./draft.ts";
import { addEcho, discard, setSending } from "./echoes.ts";
import { insertRow, noteNewest, raiseRead, withReadStatus } from "./insert.ts";
import { newBook } from "./new-chat.ts";
import { talkMessage } from "./rows.ts";
import type { Chat, ChatMessage } from "./state.ts";

describe("merging", () => {
  test("M1 a row whose id is known merges into the message that is there", () => {
    const hand = chatsInHand();
    hand.rows(privateRow({ id: 5 }), privateRow({ id: 6 }));
    hand.rows(privateRow({ id: 5, content: "edited", isEdited: true, editedAt: NOON }));
    expect(hand.contents()).toEqual(["edited", "text 6"]);
  });

  test("M2 the server's row merges into the echo, which keeps its key and takes its place by id", () => {
    const hand = chatsInHand();
    hand.apply({ kind: "echo", key: FRIEND_CHAT, message: echo("tmp-8") });
    hand.rows(privateRow({ id: 9 }), ownRow({ id: 8, content: "echo tmp-8" }));
    expect(hand.ids()).toEqual([8, 9]);
    expect(hand.chat().window.messages[0]).toMatchObject({
      key: "tmp-8",
      sending: null,
      status: MessageStatus.SENDED,
    });
  });

  test("M2 a row of mine from another device has its tmpId as key", () => {
    const hand = chatsInHand();
    hand.rows(ownRow({ id: 8 }));
    expect(hand.chat().window.messages[0]?.key).toBe("tmp-8");
  });

  test("M2 an echo that comes after its row is no second message", () => {
    const hand = chatsInHand();
    hand.rows(ownRow({ id: 8 }), privateRow({ id: 9 }));
    hand.apply({ kind: "echo", key: FRIEND_CHAT, message: echo("tmp-8") });
    expect(hand.ids()).toEqual([8, 9]);
  });

  test("M2 where a row is here already the echo goes as soon as both are known for one", () => {
    const hand = chatsInHand();
    hand.rows(privateRow({ id: 5 }));
    hand.apply({ kind: "echo", key: FRIEND_CHAT, message: echo("tmp-8") });
    hand.rows(ownRow({ id: 8, tmpId: "another" }));
    expect(hand.ids()).toEqual([5, 8, null]);
    hand.rows(ownRow({ id: 8 }));
    expect(hand.ids()).toEqual([5, 8]);
  });

  test("M3 the same row again changes nothing at all", () => {
    const hand = chatsInHand();
    hand.rows(privateRow({ id: 5 }), ownRow({ id: 6 }));
    const before = hand.chat();
    hand.rows(privateRow({ id: 5 }), ownRow({ id: 6 }));
    expect(hand.chat().window.messages).toEqual(before.window.messages);
    expect(hand.chat().window.messages[0]).toBe(before.window.messages[0]);
    expect(hand.chat().unread).toBe(1);
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
  ])("M4 what is %s stays so when an old copy comes later", (_name, part, status, content) => {
    const hand = chatsInHand();
    hand.rows(privateRow({ id: 5, ...part }));
    hand.rows(privateRow({ id: 5 }));
    expect(hand.chat().window.messages[0]).toMatchObject({ status, content });
  });

  test("M4 of two edits the later one stays", () => {
    const hand = chatsInHand();
    hand.rows(privateRow({ id: 5, content: "second", isEdited: true, editedAt: NOON + 2 }));
    hand.rows(privateRow({ id: 5, content: "first", isEdited: true, editedAt: NOON + 1 }));
    expect(hand.contents()).toEqual(["second"]);
  });

  test("M5 another person's tmpId never matches a message of mine", () => {
    const hand = chatsInHand();
    hand.apply({ kind: "echo", key: FRIEND_CHAT, message: echo("same") });
    hand.rows(privateRow({ id: 5, tmpId: "same" }));
    expect(hand.ids()).toEqual([5, null]);
    expect(new Set(hand.chat().window.messages.map((message) => message.key)).size).toBe(2);
  });
});

describe("order", () => {
  test("M6 rows stand by id", () => {
    const hand = chatsInHand();
    hand.rows(privateRow({ id: 5 }), privateRow({ id: 6 }));
    hand.rows(privateRow({ id: 7 }));
    expect(hand.ids()).toEqual([5, 6, 7]);
  });

  test("M7 an older id goes before the first larger one, and unsent messages stay last", () => {
    const hand = chatsInHand();
    hand.rows(privateRow({ id: 5 }), privateRow({ id: 9 }));
    hand.apply({ kind: "echo", key: FRIEND_CHAT, message: echo("a") });
    hand.rows(privateRow({ id: 7 }), privateRow({ id: 10 }));
    expect(hand.ids()).toEqual([5, 7, 9, 10, null]);
  });

  test("M8 a row below the window stays out of memory and goes to the disk", () => {
    const hand = chatsInHand();
    hand.rows(...Array.from({ length: 80 }, (_, i) => privateRow({ id: i + 10 })));
    const { rows } = hand.rows(privateRow({ id: 3 }));
    expect(hand.ids()[0]).toBe(30);
    expect(rows).toMatchObject([{ isOutside: true, message: { id: 3 } }]);
  });

  test("M8 so does a row up to the newest one of a chat whose window is not loaded", () => {
    const hand = chatsInHand();
    hand.rows(privateRow({ id: 5 }));
    const known = hand.chat();
    const bare = { ...known, window: { ...known.window, messages: [], hasOlder: true } };
    const cold = chatsInHand();
    cold.apply({ kind: "restore", chats: [bare] });
    expect(cold.rows(privateRow({ id: 5 })).rows[0]?.isOutside).toBe(true);
    expect(cold.rows(privateRow({ id: 6 })).rows[0]?.isOutside).toBe(false);
    expect(cold.ids()).toEqual([6]);
  });
});

describe("unread", () => {
  test("M9 counts a message of another person once, however often it comes", () => {
    const hand = chatsInHand();
    hand.rows(privateRow({ id: 5 }), privateRow({ id: 6 }));
    hand.rows(privateRow({ id: 6 }), privateRow({ id: 5 }));
    expect(hand.chat().unread).toBe(2);
  });

  test("M9 counts it once also when it lies below the window", () => {
    const hand = chatsInHand();
    hand.rows(...Array.from({ length: 80 }, (_, i) => privateRow({ id: i + 10 })));
    hand.rows(privateRow({ id: 12 }), privateRow({ id: 3 }), privateRow({ id: 3 }));
    expect(hand.chat().unread).toBe(81);
  });

  test.each([
    ["my own", ownRow({ id: 5 })],
    ["a note to myself", ownRow({ id: 5, recvId: ME, status: MessageStatus.READED })],
    ["a read one", privateRow({ id: 5, status: MessageStatus.READED })],
    ["a recalled one", privateRow({ id: 5, status: MessageStatus.RECALL })],
    ["a tip", privateRow({ id: 5, type: MessageType.TIP_TEXT })],
  ])("M10 %s does not count", (_name, row) => {
    const hand = chatsInHand();
    hand.rows(row);
    expect(Object.values(hand.state.byKey).map((chat) => chat.unread)).toEqual([0]);
  });

  test("M10 neither does one at or below the read position", () => {
    const hand = chatsInHand();
    hand.rows(privateRow({ id: 5 }));
    hand.apply({ kind: "read", key: FRIEND_CHAT, side: "mine", upTo: 7 });
    hand.rows(privateRow({ id: 7 }), privateRow({ id: 8 }));
    expect(hand.chat().unread).toBe(1);
  });

  test.each([
    ["cancelled", 1],
    ["unanswered", 1],
    ["busy", 1],
    ["failed", 1],
    ["rejected", 0],
    ["ended", 0],
  ])("M11 a call that was %s counts %i", (result, count) => {
    const hand = chatsInHand();
    hand.rows(privateRow({ id: 5, type: MessageType.ACT_RT_VOICE, act: { result, seconds: 0 } }));
    expect(hand.chat().unread).toBe(count);
  });

  test("M12 reading up to a message leaves those after it, without a limit none", () => {
    const hand = chatsInHand();
    hand.rows(privateRow({ id: 5 }), privateRow({ id: 6 }), privateRow({ id: 7 }));
    hand.apply({ kind: "read", key: FRIEND_CHAT, side: "mine", upTo: 6 });
    expect(hand.chat().unread).toBe(1);
    expect(hand.chat().window.messages.map((message) => message.status)).toEqual([3, 3, 1]);
    hand.apply({ kind: "read", key: FRIEND_CHAT, side: "mine", upTo: null });
    expect(hand.chat()).toMatchObject({ unread: 0, readId: 7 });
  });

  test("M13 a read position never goes down", () => {
    const hand = chatsInHand();
    hand.rows(privateRow({ id: 5 }), privateRow({ id: 6 }));
    hand.apply({ kind: "read", key: FRIEND_CHAT, side: "mine", upTo: 6 });
    hand.apply({ kind: "read", key: FRIEND_CHAT, side: "mine", upTo: 5 });
    expect(hand.chat()).toMatchObject({ unread: 0, readId: 6 });
  });

  test("M14 a receipt marks my messages up to its maxId and none beyond", () => {
    const hand = chatsInHand();
    hand.rows(ownRow({ id: 5 }), ownRow({ id: 6 }), ownRow({ id: 7 }));
    hand.apply({ kind: "read", key: FRIEND_CHAT, side: "theirs", upTo: 6 });
    expect(hand.chat().window.messages.map((message) => message.status)).toEqual([3, 3, 1]);
  });

  test("M15 a row that arrives as read moves the position its status tells of", () => {
    const hand = chatsInHand();
    hand.rows(privateRow({ id: 5 }), privateRow({ id: 6, status: MessageStatus.READED }));
    hand.rows(ownRow({ id: 7, status: MessageStatus.READED }));
    expect(hand.chat()).toMatchObject({ readId: 6, theirReadId: 7, unread: 0 });
  });
});

describe("time tips", () => {
  const at = (id: number, minutes: number, extraMs = 0) =>
    privateRow({ id, sendTime: NOON + minutes * 60_000 + extraMs });
  const tips = (hand: ReturnType<typeof chatsInHand>) =>
    hand.chat().window.messages.map((message) => message.hasTimeTip);

  test("M16 a tip is due when the last one is more than 600,000 ms older, and not when exactly that", () => {
    const hand = chatsInHand();
    hand.rows(at(1, 0), at(2, 9), at(3, 10), at(4, 10, 1), at(5, 15));
    expect(tips(hand)).toEqual([true, false, false, true, false]);
  });

  test("M16 the last tip counts also when it has left memory", () => {
    const hand = chatsInHand();
    hand.rows(...Array.from({ length: 70 }, (_, i) => at(i + 1, 0, i)));
    hand.rows(at(100, 9), at(101, 11));
    expect(tips(hand).slice(-2)).toEqual([false, true]);
  });

  test("M17 a message that comes late gets the tips behind it placed anew", () => {
    const hand = chatsInHand();
    hand.rows(at(1, 0), at(3, 12));
    hand.rows(at(2, 11));
    expect(tips(hand)).toEqual([true, true, false]);
  });
});

describe("what only the wire knows", () => {
  test("M25 a type that only a newer server knows becomes a row with its content", () => {
    const hand = chatsInHand();
    hand.apply(privateInput(privateRow({ id: 5, type: 777, content: "new kind" })));
    expect(hand.contents()).toEqual(["new kind"]);
    expect(hand.chat().preview).toMatchObject({ key: "unknown", text: "new kind" });
    expect(hand.chat().window.messages[0]?.sendId).toBe(FRIEND);
  });
});

describe("a row and its window", () => {
  const message = (id: number, part: Partial<ChatMessage> = {}): ChatMessage => ({
    ...talkMessage(privateRow({ id }), ME),
    ...part,
  });
  function draftOf(
    messages: readonly ChatMessage[],
    part: Partial<Chat["window"]> = {},
    book = {},
  ): ChatDraft {
    const window = {
      messages,
      hasOlder: false,
      hasNewer: false,
      older: "idle",
      newer: "idle",
      ...part,
    } as const;
    return openDraft(chat({ key: FRIEND_CHAT, window, book: { ...newBook(0), ...book } }), ME);
  }
  const ids = (draft: ChatDraft) => draft.messages.map(({ id }) => id);
  const newest = (id: number) => ({ id, position: id, sendNickName: "", sendTime: 0, preview: PREVIEW });
  const PREVIEW = { key: "content", text: "", tip: null, sendId: 2, sending: null } as const;

  test("M8 below the window it stays out, between its messages it does not", () => {
    const draft = draftOf([message(5), message(8)], { hasOlder: true });
    expect(insertRow(draft, message(4))).toEqual({ message: message(4), isOutside: true });
    expect(insertRow(draft, message(6))).toMatchObject({ message: { id: 6 }, isOutside: false });
    expect(insertRow(draft, message(9))).toMatchObject({ message: { id: 9 }, isOutside: false });
    expect(ids(draft)).toEqual([5, 6, 8, 9]);
    const whole = draftOf([message(5)]);
    expect(insertRow(whole, message(4)).isOutside).toBe(false);
    expect(ids(whole)).toEqual([4, 5]);
  });

  test("M8 of a window without messages the newest row that is known decides", () => {
    const at = (id: number) =>
      insertRow(draftOf([], { hasOlder: true }, { newest: newest(5) }), message(id)).isOutside;
    expect([4, 5, 6].map(at)).toEqual([true, true, false]);
    expect(insertRow(draftOf([], { hasOlder: true }), message(1)).isOutside).toBe(false);
  });

  test("M37 above a window that shows the past it stays out, with the tip it is to have", () => {
    const above = (book: object, id = 6) => {
      const draft = draftOf([message(5)], { hasNewer: true }, book);
      const placed = insertRow(draft, message(id));
      return [placed.isOutside, placed.message.hasTimeTip, draft.chat.book.headTip];
    };
    const time = NOON + 6_000;
    expect(above({})).toEqual([true, true, time]);
    expect(above({ newest: newest(5) })).toEqual([true, true, time]);
    expect(above({ newest: newest(6) })).toEqual([true, false, null]);
    expect(above({ newest: newest(7) })).toEqual([true, false, null]);
    expect(above({ headTip: time - 600_000 })).toEqual([true, false, time - 600_000]);
    expect(above({ headTip: time - 600_001 })).toEqual([true, true, time]);
    expect(above({}, 4)).toEqual([false, true, null]);
  });

  test("M2 a row under another id makes room, wherever the new one belongs", () => {
    const mine = (id: number) => talkMessage(ownRow({ id, tmpId: "a" }), ME);
    const move = (id: number, part: Partial<Chat["window"]>) => {
      const draft = draftOf([message(5), mine(7), message(9)], part);
      const { message: placed, isOutside } = insertRow(draft, mine(id));
      return [placed.id, placed.key, isOutside, ids(draft)];
    };
    expect(move(8, {})).toEqual([8, "a", false, [5, 8, 9]]);
    expect(move(6, {})).toEqual([6, "a", false, [5, 6, 9]]);
    expect(move(4, { hasOlder: true })).toEqual([4, "a", true, [5, 9]]);
    expect(move(10, { hasNewer: true })).toEqual([10, "a", true, [5, 9]]);
  });

  test("M2 a row that is here takes its echo away, and not another row of that tmpId", () => {
    const mine = talkMessage(ownRow({ id: 7, tmpId: "a" }), ME);
    const draft = draftOf([{ ...mine, tmpId: "b", key: "b" }, echo("a")]);
    expect(insertRow(draft, mine)).toMatchObject({ isOutside: false, message: { id: 7, key: "b" } });
    expect(ids(draft)).toEqual([7]);
    const again = draftOf([mine]);
    const placed = insertRow(again, { ...mine });
    expect(placed.message).toBe(mine);
    expect(ids(again)).toEqual([7]);
  });

  test("M18 the newest row is the one with the largest id, and a later copy of it", () => {
    const draft = draftOf([], {}, { newest: newest(5), isHollow: true });
    noteNewest(draft, message(4));
    noteNewest(draft, echo("a"));
    noteNewest(draft, message(6, { type: MessageType.TIP_TIME }));
    expect(draft.chat.book).toMatchObject({ newest: newest(5), isHollow: true });
    noteNewest(draft, message(5));
    expect(draft.chat.book).toMatchObject({
      newest: {
        id: 5,
        position: 5,
        sendNickName: "Friend",
        sendTime: NOON + 5_000,
        preview: { text: "text 5" },
      },
      isHollow: false,
    });
  });

  test("M13 a position moves up, on its own side, and takes what it passes from the unread ones", () => {
    const draft = draftOf([], {}, { unread: [5, 6, 7], senders: [2, 2, 2] });
    raiseRead(draft, "theirs", 9);
    expect(draft).toMatchObject({ chat: { readId: -1, theirReadId: 9 }, unread: [5, 6, 7], isTouched: true });
    raiseRead(draft, "mine", 6);
    expect(draft).toMatchObject({ chat: { readId: 6, theirReadId: 9 }, unread: [7] });
    const same = draftOf([]);
    raiseRead(same, "mine", -1);
    expect(same.isTouched).toBe(false);
  });

  test("M12 M14 a message is read up to the position of its reader, and only one that was sent", () => {
    const positions = { readId: 5, theirReadId: 6 };
    const status = (one: ChatMessage) => withReadStatus(one, positions).status;
    expect([5, 6].map((id) => status(message(id)))).toEqual([MessageStatus.READED, MessageStatus.SENDED]);
    const mine = (id: number) => talkMessage(ownRow({ id }), ME);
    expect([6, 7].map((id) => status(mine(id)))).toEqual([MessageStatus.READED, MessageStatus.SENDED]);
    expect(status(message(1, { status: MessageStatus.RECALL }))).toBe(MessageStatus.RECALL);
    const sent = echo("a", { status: MessageStatus.SENDED });
    expect(withReadStatus(sent, { readId: Infinity, theirReadId: Infinity })).toBe(sent);
  });

  test("M30 an echo is not before the newest row, and is shown once; of what it quotes nothing gone is shown", () => {
    const draft = draftOf([], {}, { newest: { ...newest(5), sendTime: NOON + 7 } });
    addEcho(draft, echo("a", { sendTime: NOON }));
    addEcho(draft, echo("b", { sendTime: NOON + 8 }));
    addEcho(draft, echo("a"));
    addEcho(draft, echo("c", { tmpId: null, sendTime: NOON }));
    expect(draft.messages.map(({ key, sendTime }) => [key, sendTime - NOON])).toEqual([
      ["a", 7],
      ["b", 8],
      ["c", 7],
    ]);
    const alone = draftOf([]);
    addEcho(alone, echo("a", { sendTime: 0 }));
    expect(alone.messages[0]?.sendTime).toBe(0);
    setSending(alone, "b", "failed", null);
    discard(alone, "b");
    expect(alone.messages).toHaveLength(1);
    setSending(alone, "a", "failed", { kind: "loggedOut" });
    expect(alone.messages[0]).toMatchObject({ sending: "failed", failure: { kind: "loggedOut" } });
    discard(alone, "a");
    expect(alone.messages).toEqual([]);
  });

  test("O5 only what the server does not have is discarded", () => {
    const draft = draftOf([talkMessage(ownRow({ id: 7, tmpId: "a" }), ME), echo("b")]);
    discard(draft, "a");
    expect(ids(draft)).toEqual([7, null]);
  });
});
