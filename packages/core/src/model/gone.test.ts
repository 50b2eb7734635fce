import { MessageStatus, MessageType } from "@parley/protocol/codes";
import { describe, expect, test } from "vitest";
import { echo, FRIEND_CHAT, groupRow, ownRow, privateRow, systemRow } from "../testing/builders.ts";
import { chatsInHand, groupInput, privateInput, systemInput } from "../testing/chats.ts";
import { SYSTEM_CHAT } from "./rows.ts";
import { restoreChat, saveChat } from "./stored.ts";
import type { Chat, ChatKey } from "./state.ts";

const OTHER_CHAT: ChatKey = "PRIVATE:3";
const fromThird = (id: number) => privateRow({ id, sendId: 3 });
const hide = (...ids: number[]) => ({ kind: "hide", key: FRIEND_CHAT, ids }) as const;
const clear = (upTo: number) => ({ kind: "cleared", type: "PRIVATE", upTo }) as const;

/** The chat as a start finds it on disk: its window is still there. */
function cold(chat: Chat): Chat {
  const restored = restoreChat({ ...saveChat(chat) });
  if (restored === null) throw new Error("not whole");
  return restored;
}

describe("messages deleted for oneself", () => {
  test("M48 they go with their unread count, and preview and time fall back", () => {
    const hand = chatsInHand();
    hand.rows(privateRow({ id: 5 }), privateRow({ id: 6 }), privateRow({ id: 7 }));
    const { lastSendTime } = hand.chat();
    const { gone } = hand.apply(hide(5, 7));
    expect(hand.ids()).toEqual([6]);
    expect(hand.chat()).toMatchObject({ unread: 1, preview: { text: "text 6" } });
    expect(hand.chat().lastSendTime).toBe(lastSendTime - 1_000);
    expect(gone).toEqual([{ key: FRIEND_CHAT, ids: [5, 7] }]);
    hand.apply(hide(6));
    expect(hand.chat()).toMatchObject({ unread: 0, preview: null, book: { newest: null } });
  });

  test("M50 what came in the very batch that deletes it is not written to the disk", () => {
    const hand = chatsInHand();
    const { rows } = hand.apply(
      privateInput(privateRow({ id: 5 })),
      privateInput(privateRow({ id: 6 })),
      hide(5),
    );
    expect(rows.map(({ message }) => message.id)).toEqual([6]);
  });

  test("M49 the preview waits for a page when what stands before is not in memory", () => {
    const hand = chatsInHand();
    hand.rows(privateRow({ id: 5 }), privateRow({ id: 6 }));
    const [five] = hand.chat().window.messages;
    hand.apply({ kind: "restore", chats: [] });
    const later = chatsInHand();
    later.apply({ kind: "restore", chats: [cold(hand.chat())] });
    later.apply(hide(6));
    expect(later.chat()).toMatchObject({ preview: null, book: { isHollow: true } });
    // An old row that comes late is no newest one.
    later.rows(privateRow({ id: 4 }));
    expect(later.ids()).toEqual([]);
    const messages = five === undefined ? [] : [five];
    const page = { messages, isFresh: false, from: 0, to: Infinity };
    later.apply({ kind: "page", key: FRIEND_CHAT, use: "older", page });
    expect(later.chat()).toMatchObject({ preview: { text: "text 5" }, book: { isHollow: false } });
  });

  test("M50 a late copy does not come back, neither as a row nor in a page, and its echo goes", () => {
    const hand = chatsInHand();
    hand.rows(privateRow({ id: 5 }), privateRow({ id: 6 }));
    hand.apply({ kind: "echo", key: FRIEND_CHAT, message: echo("tmp-7") }, hide(5, 7));
    const { refused } = hand.rows(privateRow({ id: 5 }), ownRow({ id: 7 }));
    expect(refused.map(({ message }) => message.id)).toEqual([5, 7]);
    expect(hand.ids()).toEqual([6]);
    expect(hand.chat().unread).toBe(1);
    const late = privateInput(privateRow({ id: 5 }));
    const messages = late.kind === "row" ? [late.message] : [];
    hand.apply({
      kind: "page",
      key: FRIEND_CHAT,
      use: "older",
      page: { messages, isFresh: true, from: 0, to: Infinity },
    });
    expect(hand.ids()).toEqual([6]);
    const again = chatsInHand();
    again.apply({ kind: "restore", chats: [cold(hand.chat())] });
    again.rows(privateRow({ id: 5 }));
    expect(again.chat().unread).toBe(1);
  });

  test("M50 they come back when the server refuses", () => {
    const hand = chatsInHand();
    hand.rows(privateRow({ id: 5 }), privateRow({ id: 6 }));
    const before = hand.chat().window.messages;
    hand.apply(hide(6));
    hand.apply({ kind: "unhide", key: FRIEND_CHAT, ids: [6], messages: before.slice(1) });
    expect(hand.ids()).toEqual([5, 6]);
    expect(hand.chat()).toMatchObject({ unread: 2, preview: { text: "text 6" } });
  });

  test("M50 what was deleted elsewhere before it came puts no chat into the list", () => {
    const hand = chatsInHand();
    hand.apply(hide(5));
    expect(hand.state.order).toEqual([]);
    hand.rows(privateRow({ id: 5 }));
    expect(hand.state.order).toEqual([]);
    hand.rows(privateRow({ id: 6 }));
    expect(hand.state.order).toEqual([FRIEND_CHAT]);
    expect(hand.ids()).toEqual([6]);
  });
});

describe("cleared history", () => {
  test("M51 messages, unread and previews go; chats stay only with a draft, or while somebody looks", () => {
    const hand = chatsInHand();
    hand.rows(privateRow({ id: 5 }), fromThird(6), privateRow({ id: 7, sendId: 4 }), ownRow({ id: 9 }));
    hand.apply(
      { kind: "draft", key: OTHER_CHAT, text: "to be said" },
      { kind: "open", key: "PRIVATE:4", now: 1 },
    );
    const { gone } = hand.apply(clear(8));
    expect(hand.ids()).toEqual([9]);
    expect(hand.chat()).toMatchObject({ unread: 0, preview: { text: "text 9" } });
    expect(hand.chat(OTHER_CHAT)).toMatchObject({ unread: 0, preview: null, isRemoved: false });
    expect(hand.chat("PRIVATE:4").isRemoved).toBe(false);
    expect(gone).toContainEqual({ key: OTHER_CHAT, upTo: 8 });
    hand.apply(clear(9));
    expect(hand.chat().isRemoved).toBe(true);
    expect(hand.state.order).not.toContain(FRIEND_CHAT);
  });

  test("M51 the system chat counts seqNos, and other kinds keep everything", () => {
    const hand = chatsInHand();
    hand.rows(privateRow({ id: 5 }));
    hand.apply(systemInput(systemRow({ seqNo: 1 })), systemInput(systemRow({ seqNo: 2 })));
    hand.apply({ kind: "cleared", type: "SYSTEM", upTo: 1 });
    expect(hand.chat(SYSTEM_CHAT).window.messages.map((m) => m.system?.seqNo)).toEqual([2]);
    expect(hand.apply({ kind: "cleared", type: "SYSTEM", upTo: 2 }).gone).toEqual([
      { key: SYSTEM_CHAT, upTo: Infinity },
    ]);
    expect(hand.state.order).toEqual([FRIEND_CHAT]);
  });

  test("M51 what is on its way stays", () => {
    const hand = chatsInHand();
    hand.rows(privateRow({ id: 5 }));
    hand.apply({ kind: "echo", key: FRIEND_CHAT, message: echo("a") }, clear(5));
    expect(hand.contents()).toEqual(["echo a"]);
    expect(hand.state.order).toEqual([FRIEND_CHAT]);
  });

  test("M52 rows at or below the mark do not come in, in the batch of the mark nor later", () => {
    const hand = chatsInHand({ cleared: { PRIVATE: 8, GROUP: 0, SYSTEM: 0 } });
    hand.apply({ kind: "echo", key: FRIEND_CHAT, message: echo("tmp-8") });
    hand.rows(ownRow({ id: 8 }), fromThird(6));
    expect(hand.chat().window.messages).toEqual([]);
    expect(hand.state.byKey[OTHER_CHAT]).toBeUndefined();
    hand.apply(clear(10), privateInput(fromThird(9)), privateInput(fromThird(11)));
    expect(hand.ids(OTHER_CHAT)).toEqual([11]);
  });

  test("M52 nor does a page bring them, or a recall of one a chat", () => {
    const hand = chatsInHand({ cleared: { PRIVATE: 8, GROUP: 0, SYSTEM: 0 } });
    const row = privateInput(privateRow({ id: 8 }));
    const messages = row.kind === "row" ? [row.message] : [];
    hand.apply(
      { kind: "open", key: FRIEND_CHAT, now: 1 },
      {
        kind: "page",
        key: FRIEND_CHAT,
        use: "older",
        page: { messages, isFresh: true, from: 0, to: Infinity },
      },
    );
    expect(hand.ids()).toEqual([]);
    hand.rows(privateRow({ id: 12, type: 10, sendId: 3, content: "7" }));
    expect(hand.state.byKey[OTHER_CHAT]).toBeUndefined();
  });
});

describe("quotes of what was cleared", () => {
  const quoteMessage = { id: 5, sendId: 2, content: "text 5", type: 0, status: MessageStatus.SENDED };
  const quoting = privateRow({ id: 9, quoteMessage });
  const edit = privateRow({ id: 10, type: MessageType.EDIT, content: "better", quoteMessage });
  const recall = privateRow({ id: 11, type: MessageType.RECALL, content: "5" });
  const quoteIn = (hand: ReturnType<typeof chatsInHand>) => hand.chat().window.messages[0]?.quoteMessage;

  test("M59 follow its edits and its recall, whichever comes first", () => {
    for (const [change, expected] of [
      [edit, { content: "better" }],
      [recall, { content: "", status: MessageStatus.RECALL }],
    ] as const) {
      const rows = [quoting, change];
      for (const order of [rows, rows.toReversed()]) {
        const hand = chatsInHand({ cleared: { PRIVATE: 8, GROUP: 0, SYSTEM: 0 } });
        hand.rows(privateRow({ id: 12 }));
        const { missed } = hand.rows(...order);
        expect(hand.ids()).toEqual([9, 12]);
        expect(quoteIn(hand)).toMatchObject(expected);
        expect(missed).toEqual([]);
      }
    }
  });

  test("M59 follow it also when it was changed before it was cleared", () => {
    const hand = chatsInHand();
    hand.rows(privateRow({ id: 5 }), recall);
    hand.apply(clear(8));
    hand.rows(quoting);
    expect(quoteIn(hand)).toMatchObject({ content: "", status: MessageStatus.RECALL });
  });
});

describe("chats taken from the list", () => {
  test("M53 a removed chat is out of the list and read, and its draft is gone", () => {
    const hand = chatsInHand();
    hand.rows(privateRow({ id: 5 }), privateRow({ id: 6 }), fromThird(7));
    hand.apply({ kind: "draft", key: FRIEND_CHAT, text: "never mind" }, { kind: "remove", key: FRIEND_CHAT });
    expect(hand.state.order).toEqual([OTHER_CHAT]);
    expect(hand.chat()).toMatchObject({ isRemoved: true, unread: 0, readId: 6, draft: "" });
  });

  test("M53 an older row does not bring it back, the next message does", () => {
    const hand = chatsInHand();
    hand.rows(privateRow({ id: 5 }), privateRow({ id: 7 }));
    hand.apply({ kind: "remove", key: FRIEND_CHAT });
    hand.rows(privateRow({ id: 7 }), privateRow({ id: 6, status: MessageStatus.READED }));
    expect(hand.state.order).toEqual([]);
    hand.rows(privateRow({ id: 8 }));
    expect(hand.state.order).toEqual([FRIEND_CHAT]);
    expect(hand.chat().unread).toBe(1);
    expect(hand.ids()).toEqual([5, 6, 7, 8]);
  });

  test("M53 so do an echo, and opening it, with all its messages", () => {
    const hand = chatsInHand();
    hand.rows(privateRow({ id: 5 }));
    hand.apply({ kind: "remove", key: FRIEND_CHAT });
    hand.apply({ kind: "open", key: FRIEND_CHAT, now: 1 });
    expect(hand.state.order).toEqual([FRIEND_CHAT]);
    expect(hand.ids()).toEqual([5]);
    hand.apply({ kind: "remove", key: FRIEND_CHAT });
    expect(hand.state).toMatchObject({ openKey: null, order: [] });
    hand.apply({ kind: "echo", key: FRIEND_CHAT, message: echo("a") });
    expect(hand.state.order).toEqual([FRIEND_CHAT]);
  });

  test("M53 also while a pull runs", () => {
    const hand = chatsInHand();
    hand.rows(privateRow({ id: 5 }), fromThird(6));
    hand.apply({ kind: "loading", type: "PRIVATE", isOn: true });
    hand.apply({ kind: "remove", key: FRIEND_CHAT });
    expect(hand.state.order).toEqual([OTHER_CHAT]);
    hand.apply({ kind: "open", key: FRIEND_CHAT, now: 1 });
    expect(hand.state.order).toEqual([FRIEND_CHAT, OTHER_CHAT]);
  });

  test("M53 and it stays away through a start", () => {
    const hand = chatsInHand();
    hand.rows(privateRow({ id: 5 }));
    hand.apply({ kind: "remove", key: FRIEND_CHAT });
    const again = chatsInHand();
    again.apply({ kind: "restore", chats: [cold(hand.chat())] });
    expect(again.state.order).toEqual([]);
  });
});

describe("unread marks", () => {
  test.each([
    ["opening", { kind: "open", key: FRIEND_CHAT, now: 1 }],
    ["marking as read", { kind: "read", key: FRIEND_CHAT, side: "mine", upTo: null }],
    ["removing", { kind: "remove", key: FRIEND_CHAT }],
  ] as const)("M54 a mark counts nothing and goes by %s", (_name, input) => {
    const hand = chatsInHand();
    hand.rows(privateRow({ id: 5, status: MessageStatus.READED }));
    hand.apply({ kind: "mark", key: FRIEND_CHAT, isOn: true });
    expect(hand.chat()).toMatchObject({ isMarkedUnread: true, unread: 0 });
    expect(cold(hand.chat()).isMarkedUnread).toBe(true);
    hand.apply(input);
    expect(hand.chat().isMarkedUnread).toBe(false);
  });
});

describe("what goes exactly", () => {
  const draftQuote = (id: number) => ({ id, sendId: 2, sendNickName: "Friend", type: 0, content: "" });

  test("M48 the draft's quote and edit go with their messages, and with no others", () => {
    for (const [id, stays] of [
      [5, false],
      [6, true],
    ] as const) {
      const hand = chatsInHand();
      hand.rows(privateRow({ id: 5 }), ownRow({ id: 6 }));
      const quote = draftQuote(id);
      const edit = { id, text: "x" };
      hand.apply({ kind: "draft", key: FRIEND_CHAT, quote, edit }, hide(5));
      expect(hand.chat()).toMatchObject({ draftQuote: stays ? quote : null, draftEdit: stays ? edit : null });
      const other = chatsInHand();
      other.rows(privateRow({ id: 5 }), ownRow({ id: 6 }));
      other.apply({ kind: "draft", key: FRIEND_CHAT, quote, edit }, clear(5));
      expect(other.chat()).toMatchObject({
        draftQuote: stays ? quote : null,
        draftEdit: stays ? edit : null,
      });
    }
  });

  test("M50 at most the 500 newest are remembered, each once and in order, until they are shown again", () => {
    const hand = chatsInHand();
    hand.apply(hide(...Array.from({ length: 500 }, (_, i) => 1_000 - i)), hide(700, 2, 1));
    const { hidden } = hand.chat().book;
    expect(hidden).toEqual(Array.from({ length: 500 }, (_, i) => 501 + i));
    hand.apply({ kind: "unhide", key: FRIEND_CHAT, ids: [501, 1_000], messages: [] });
    expect(hand.chat().book.hidden).toEqual(hidden.slice(1, -1));
  });

  test("M48 of what is not the newest the last line stays", () => {
    const hand = chatsInHand();
    hand.rows(privateRow({ id: 5 }), privateRow({ id: 6 }));
    const { newest } = hand.chat().book;
    hand.apply(hide(5));
    expect(hand.chat().book.newest).toBe(newest);
    const unseen = chatsInHand();
    unseen.apply(hide(5));
    expect(unseen.chat().book).toMatchObject({ newest: null, isHollow: false });
  });

  test("M48 the last line falls back over messages that make none", () => {
    const hand = chatsInHand();
    hand.rows(
      privateRow({ id: 5 }),
      privateRow({ id: 6, type: MessageType.TIP_TIME }),
      privateRow({ id: 7 }),
    );
    hand.apply(hide(7));
    expect(hand.chat().book.newest).toEqual({
      id: 5,
      position: 5,
      sendNickName: "Friend",
      sendTime: hand.chat().window.messages[0]?.sendTime,
      preview: { key: "content", text: "text 5", tip: null, sendId: 2, sending: null },
    });
  });

  test("M51 M52 what was hidden or purged up to the mark is remembered no more, and what stands behind it is", () => {
    const hand = chatsInHand();
    const key = "GROUP:5";
    hand.apply({ kind: "hide", key, ids: [7, 8, 9] });
    for (const userId of [7, 8, 9]) hand.apply({ kind: "purge", key, purge: { userId, upTo: userId } });
    hand.apply({ kind: "cleared", type: "GROUP", upTo: 8 });
    expect(hand.chat(key).book).toMatchObject({ hidden: [9], purged: [{ userId: 9, upTo: 9 }] });
  });

  test("M51 up to the mark all is known to be gone, so that one that reaches the head makes the chat begin there", () => {
    const floors = { PRIVATE: 10, GROUP: 0, SYSTEM: 0 };
    const known = (upTo: number, older: "idle" | "loading" = "loading") => {
      const hand = chatsInHand({ floors });
      hand.rows(privateRow({ id: 10 }), privateRow({ id: 20 }));
      hand.apply({ kind: "older", key: FRIEND_CHAT, older }, clear(upTo));
      const { book, window } = hand.chat();
      return [book.knownFrom, book.islands, window.hasOlder, window.older];
    };
    expect(known(8)).toEqual([10, [{ from: 0, to: 9 }], true, "loading"]);
    expect(known(9)).toEqual([0, [], true, "loading"]);
    expect(known(10)).toEqual([0, [], false, "idle"]);
    expect(known(20)).toEqual([0, [], false, "idle"]);
  });

  test("M51 an unread message exactly at the mark is read, also when only its position is in memory", () => {
    const hand = chatsInHand();
    hand.rows(privateRow({ id: 5 }), privateRow({ id: 6 }), privateRow({ id: 7 }));
    const later = chatsInHand();
    const known = hand.chat();
    later.apply({ kind: "restore", chats: [{ ...cold(known), window: { ...known.window, messages: [] } }] });
    expect(later.chat().book.unread).toEqual([5, 6, 7]);
    later.apply(clear(6));
    expect(later.chat()).toMatchObject({ unread: 1, book: { unread: [7] } });
  });

  test("M17 M51 the first message that is left has a tip, and where none goes the tips stay", () => {
    const hand = chatsInHand({ closedWindow: 2 });
    const at = (id: number) => privateRow({ id, sendTime: 1_000 + id });
    hand.rows(at(5), at(6), at(7));
    expect(hand.chat().book.tipBase).toBe(1_005);
    hand.apply(clear(5));
    expect(hand.chat().book.tipBase).toBe(1_005);
    expect(hand.chat().window.messages.map(({ hasTimeTip }) => hasTimeTip)).toEqual([false, false]);
    hand.apply(clear(6));
    expect(hand.chat().book.tipBase).toBeNull();
    expect(hand.chat().window.messages.map(({ hasTimeTip }) => hasTimeTip)).toEqual([true]);
  });

  test("M51 a chat stays with a quote to answer, and one that was told of before is not told again", () => {
    const hand = chatsInHand();
    hand.rows(privateRow({ id: 5 }), fromThird(6));
    const quote = draftQuote(9);
    hand.apply({ kind: "draft", key: FRIEND_CHAT, quote }, clear(8));
    expect(hand.chat()).toMatchObject({ isRemoved: false, draftQuote: quote });
    expect(hand.chat(OTHER_CHAT).isRemoved).toBe(true);
    const before = hand.state;
    expect(
      chatsInHand({ cleared: { PRIVATE: 8, GROUP: 0, SYSTEM: 0 } }, before).apply(clear(8)).gone,
    ).toEqual([]);
    const lower = chatsInHand({ cleared: { PRIVATE: 8, GROUP: 0, SYSTEM: 0 } }, before);
    expect(lower.apply(clear(7)).gone).toEqual([]);
    expect(lower.apply(clear(9)).gone).toHaveLength(2);
  });

  test("M51 of what the very batch brings the disk gets what stands behind the mark", () => {
    const hand = chatsInHand();
    const inputs = [7, 8, 9].map((id) => privateInput(privateRow({ id })));
    const { rows } = hand.apply(...inputs, privateInput(fromThird(10)), clear(8));
    expect(rows.map(({ message }) => message.id)).toEqual([9, 10]);
    const other = chatsInHand();
    const told = other.apply(privateInput(privateRow({ id: 7 })), privateInput(fromThird(7)), hide(7));
    expect(told.rows.map(({ key }) => key)).toEqual([OTHER_CHAT]);
  });

  test("G39 nor what was purged in it", () => {
    const hand = chatsInHand();
    const inputs = [
      [7, 1],
      [7, 3],
      [8, 2],
    ].map(([sendId, id]) => groupInput(groupRow({ id: id ?? 0, sendId: sendId ?? 0 })));
    const { rows } = hand.apply(...inputs, { kind: "purge", key: "GROUP:5", purge: { userId: 7, upTo: 1 } });
    expect(rows.map(({ message }) => message.id)).toEqual([3, 2]);
  });

  test("M50 a row of another one that stays away takes no echo of mine, nor does one without a tmpId", () => {
    const hand = chatsInHand();
    hand.apply({ kind: "echo", key: FRIEND_CHAT, message: echo("a") }, hide(5, 6));
    const { refused } = hand.rows(privateRow({ id: 5, tmpId: "a" }), ownRow({ id: 6, tmpId: null }));
    expect(refused).toMatchObject([
      { key: FRIEND_CHAT, isOutside: true, message: { id: 5 } },
      { key: FRIEND_CHAT, isOutside: true, message: { id: 6 } },
    ]);
    expect(hand.contents()).toEqual(["echo a"]);
  });
});
