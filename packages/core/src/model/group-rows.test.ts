import { Cmd, MessageStatus, MessageType } from "@parley/protocol/codes";
import type { GroupMessage } from "@parley/protocol/message";
import { describe, expect, test } from "vitest";
import { echo, groupRow, ME } from "../testing/builders.ts";
import { type ChatsInHand, chatsInHand, groupInput } from "../testing/chats.ts";
import { readFrame } from "./incoming.ts";
import { nextMention } from "./mentions.ts";
import { mergeMessages } from "./merge.ts";
import { talkMessage } from "./rows.ts";
import type { ChatKey } from "./state.ts";
import { restoreChat, saveChat } from "./stored.ts";

const GROUP: ChatKey = "GROUP:5";
const ANN = 7;
const BOB = 8;

type Part = Partial<GroupMessage> & { id: number };
const from = (sendId: number, id: number, part: Partial<GroupMessage> = {}) =>
  groupRow({ id, sendId, ...part });
const rows = (hand: ChatsInHand, ...parts: Part[]) =>
  hand.apply(...parts.map((part) => groupInput(groupRow(part))));
const purge = (hand: ChatsInHand, userId: number, upTo: number) =>
  hand.apply({ kind: "purge", key: GROUP, purge: { userId, upTo } });
const read = (hand: ChatsInHand, upTo: number) =>
  hand.apply({ kind: "read", key: GROUP, side: "mine", upTo });
const named = (hand: ChatsInHand) => hand.chat(GROUP).book.mentions.map(({ id }) => id);

describe("unseen messages that name me", () => {
  function withMentions(): ChatsInHand {
    const hand = chatsInHand();
    rows(hand, { id: 1 }, { id: 2, atUserIds: [ME] }, { id: 3, atUserIds: [-1] }, { id: 4, atUserIds: [ME] });
    return hand;
  }

  test("G38 they are noted with the unread ones, the oldest first", () => {
    const hand = withMentions();
    expect(hand.chat(GROUP)).toMatchObject({ unread: 4, atMe: true, atAll: true });
    expect(named(hand)).toEqual([2, 3, 4]);
    expect(nextMention(hand.chat(GROUP))).toBe(2);
  });

  test("G38 my own, read and recalled ones are none, nor do they come twice", () => {
    const hand = chatsInHand();
    rows(
      hand,
      { id: 1, sendId: ME, atUserIds: [ME] },
      { id: 2, atUserIds: [ME], status: MessageStatus.READED },
      { id: 3, atUserIds: [ME], status: MessageStatus.RECALL },
      { id: 4, atUserIds: [ME] },
    );
    rows(hand, { id: 4, atUserIds: [ME] });
    expect(named(hand)).toEqual([4]);
  });

  test("G38 reading past them takes them away", () => {
    const hand = withMentions();
    read(hand, 2);
    expect(named(hand)).toEqual([3, 4]);
    read(hand, 4);
    expect(hand.chat(GROUP)).toMatchObject({ atMe: false, atAll: false });
    expect(nextMention(hand.chat(GROUP))).toBeNull();
  });

  test("G38 so do recalls, deleting for oneself, clearing and purges; an edit leaves them", () => {
    const hand = withMentions();
    const quoteMessage = { id: 3, sendId: 2, content: "new", type: 0, status: 1 };
    rows(hand, { id: 9, type: MessageType.EDIT, content: "new", quoteMessage });
    expect(named(hand)).toEqual([2, 3, 4]);
    rows(hand, { id: 10, type: MessageType.RECALL, content: "2" });
    expect(named(hand)).toEqual([3, 4]);
    hand.apply({ kind: "hide", key: GROUP, ids: [4] });
    expect(hand.chat(GROUP)).toMatchObject({ atMe: false, atAll: true });
    rows(hand, { id: 11, sendId: ANN, atUserIds: [ME] });
    purge(hand, ANN, 11);
    expect(named(hand)).toEqual([3]);
    hand.apply({ kind: "cleared", type: "GROUP", upTo: 11 });
    expect(named(hand)).toEqual([]);
  });

  test("G38 they lie on disk, also those of an older version, which noted none", () => {
    const saved = saveChat(withMentions().chat(GROUP));
    expect(restoreChat(saved)).toMatchObject({ atMe: true, atAll: true, unread: 4 });
    const { mentions: _mentions, senders: _senders, purged: _purged, ...old } = saved;
    const restored = restoreChat(old);
    expect(restored).toMatchObject({ atMe: false, unread: 4, book: { senders: [0, 0, 0, 0], purged: [] } });
  });

  test("G38 of rows that a page brings too", () => {
    const hand = chatsInHand({ floors: { PRIVATE: 0, GROUP: 9, SYSTEM: 0 } });
    rows(hand, { id: 9 });
    const messages = [talkMessage(groupRow({ id: 4, atUserIds: [ME] }), ME)];
    hand.apply({ kind: "page", key: GROUP, page: { messages, from: 0, to: 9, isFresh: true }, use: "older" });
    expect(named(hand)).toEqual([4]);
  });
});

describe("what somebody wrote is gone for everybody", () => {
  function withTwo(): ChatsInHand {
    const hand = chatsInHand();
    hand.apply(...[from(ANN, 1), from(BOB, 2), from(ANN, 3), from(BOB, 4), from(ANN, 5)].map(groupInput));
    return hand;
  }

  test("G39 rows of that person up to the id go, from the window, the count and the disk", () => {
    const hand = withTwo();
    const told = purge(hand, ANN, 3);
    expect(hand.ids(GROUP)).toEqual([2, 4, 5]);
    expect(hand.chat(GROUP).book.unread).toEqual([2, 4, 5]);
    expect(told.gone).toEqual([{ key: GROUP, purge: { userId: ANN, upTo: 3 } }]);
  });

  test("G39 told again it does nothing; a higher id takes more", () => {
    const hand = withTwo();
    purge(hand, ANN, 3);
    expect(purge(hand, ANN, 1).gone).toEqual([]);
    expect(hand.chat(GROUP).book.purged).toEqual([{ userId: ANN, upTo: 3 }]);
    purge(hand, ANN, 5);
    expect(hand.ids(GROUP)).toEqual([2, 4]);
    expect(hand.chat(GROUP).book.purged).toEqual([{ userId: ANN, upTo: 5 }]);
  });

  test("G39 unread ones that are not in memory are taken from the count as well", () => {
    const hand = chatsInHand({ closedWindow: 1 });
    hand.apply(...[from(ANN, 1), from(BOB, 2), from(ANN, 3), from(BOB, 4)].map(groupInput));
    expect(hand.ids(GROUP)).toEqual([4]);
    purge(hand, ANN, 3);
    expect(hand.chat(GROUP).book.unread).toEqual([2, 4]);
  });

  test("G39 copies that come late stay away, what is written after it comes in", () => {
    const hand = withTwo();
    purge(hand, ANN, 5);
    const told = hand.apply(groupInput(from(ANN, 3)), groupInput(from(ANN, 6)));
    expect(hand.ids(GROUP)).toEqual([2, 4, 6]);
    expect(told.refused.map(({ message }) => message.id)).toEqual([3]);
    const messages = [from(ANN, 1), from(BOB, 2)].map((row) => talkMessage(row, ME));
    hand.apply({ kind: "page", key: GROUP, page: { messages, from: 0, to: 4, isFresh: true }, use: "older" });
    expect(hand.ids(GROUP)).toEqual([2, 4, 6]);
  });

  test("G50 a masked quote stays masked through a recall of what it quotes", () => {
    const hand = chatsInHand();
    const masked = { id: 1, sendId: ANN, content: "", type: 21, status: 1 };
    hand.apply(groupInput(from(BOB, 6, { quoteMessage: masked })));
    const about = { targetId: 1, sendTime: 9, by: { id: ANN, name: "Ann" } };
    const edit = { ...about, id: 7, type: MessageType.EDIT, content: "new" };
    const recall = { ...about, id: 8, type: MessageType.RECALL, content: "" };
    for (const event of [edit, recall]) hand.apply({ kind: "event", key: GROUP, event });
    expect(hand.chat(GROUP).window.messages.at(-1)?.quoteMessage).toEqual(masked);
  });

  test("G39 quotes of it are masked, those of drafts go, and the preview falls back", () => {
    const hand = withTwo();
    const quoteMessage = { id: 5, sendId: ANN, content: "text 5", type: 0, status: 1 };
    hand.apply(groupInput(from(BOB, 6, { quoteMessage })));
    hand.apply({
      kind: "draft",
      key: GROUP,
      quote: { id: 3, sendId: ANN, sendNickName: "Ann", type: 0, content: "text 3" },
    });
    const told = purge(hand, ANN, 5);
    expect(told.rows.map(({ message }) => message.id)).toEqual([6]);
    expect(hand.chat(GROUP).window.messages.at(-1)?.quoteMessage).toEqual({
      id: 5,
      sendId: ANN,
      type: 21,
      content: "",
      status: 1,
    });
    expect(hand.chat(GROUP).draftQuote).toBeNull();
    hand.apply(groupInput(from(BOB, 7, { quoteMessage })));
    expect(hand.chat(GROUP).window.messages.at(-1)?.quoteMessage).toEqual({
      id: 5,
      sendId: ANN,
      type: 21,
      content: "",
      status: 1,
    });
    purge(hand, BOB, 7);
    expect(hand.chat(GROUP)).toMatchObject({ preview: null, unread: 0 });
  });

  test("G39 the texts of his edits go too, and what he has on the way stays", () => {
    const hand = withTwo();
    const quoteMessage = { id: 3, sendId: ANN, content: "x", type: 0, status: 1 };
    hand.apply(groupInput(from(ANN, 6, { type: MessageType.EDIT, content: "secret", quoteMessage })));
    hand.apply({ kind: "echo", key: GROUP, message: echo("a", { sendId: ME }) });
    purge(hand, ANN, 6);
    expect(JSON.stringify(hand.chat(GROUP))).not.toContain("secret");
    purge(hand, ME, 6);
    expect(hand.contents(GROUP)).toContain("echo a");
  });

  test("G39 it is remembered on disk", () => {
    const hand = withTwo();
    purge(hand, ANN, 3);
    expect(restoreChat(saveChat(hand.chat(GROUP)))?.book.purged).toEqual([{ userId: ANN, upTo: 3 }]);
  });
});

describe("a group that takes me back", () => {
  const renew = (hand: ChatsInHand) => hand.apply({ kind: "renew", key: GROUP });

  test("G51 its messages are forgotten, with what counts them; what waits to be sent and the draft stay", () => {
    const hand = chatsInHand();
    rows(hand, { id: 1 }, { id: 2, atUserIds: [ME] });
    hand.apply({ kind: "echo", key: GROUP, message: echo("a") });
    hand.apply({ kind: "draft", key: GROUP, text: "half a" });
    const { gone } = renew(hand);
    expect(gone).toEqual([{ key: GROUP, upTo: Infinity }]);
    expect(hand.ids(GROUP)).toEqual([null]);
    expect(hand.chat(GROUP)).toMatchObject({
      unread: 0,
      atMe: false,
      draft: "half a",
      window: { hasOlder: true, hasNewer: false },
      book: { knownFrom: 3, islands: [], isHollow: true },
    });
    expect(named(hand)).toEqual([]);
  });

  test("G51 a page of the server brings them back as they stand now", () => {
    const hand = chatsInHand();
    rows(hand, { id: 1, content: "secret" }, { id: 2, atUserIds: [ME] });
    renew(hand);
    const told = [
      groupRow({ id: 1, content: "", status: MessageStatus.RECALL }),
      groupRow({ id: 2, atUserIds: [ME] }),
    ];
    const messages = told.flatMap((row) => {
      const input = groupInput(row);
      return input.kind === "row" ? [input.message] : [];
    });
    const page = { messages, isFresh: true, from: 0, to: Infinity };
    hand.apply({ kind: "page", key: GROUP, use: "older", page });
    expect(hand.contents(GROUP)).toEqual(["", "text 2"]);
    expect(hand.chat(GROUP)).toMatchObject({
      unread: 1,
      atMe: true,
      book: { knownFrom: 0, isHollow: false },
    });
  });

  test("G51 a chat without messages stays as it is", () => {
    const hand = chatsInHand();
    renew(hand);
    expect(hand.state.byKey).toEqual({});
  });
});

describe("receipts", () => {
  test("M112 a receipt is no row, though it names its message, and is read from content or frame", () => {
    const receipt = { id: 1, readedCount: 2, receiptOk: true };
    const of = (data: object) =>
      readFrame({ cmd: Cmd.GROUP, data: { type: 12, sendId: 3, groupId: 5, ...data } }, ME);
    const told = { kind: "chat", position: null, input: { kind: "receipt", receipt } };
    expect(of({ ...receipt, content: JSON.stringify(receipt) })).toMatchObject(told);
    expect(of({ content: JSON.stringify(receipt) })).toMatchObject(told);
    expect(of(receipt)).toMatchObject(told);
  });

  const count = (hand: ChatsInHand, id: number, readedCount: number, receiptOk = false) =>
    hand.apply({ kind: "receipt", key: GROUP, receipt: { id, readedCount, receiptOk } });
  const shown = (hand: ChatsInHand) => {
    const { readedCount, receiptOk } = hand.chat(GROUP).window.messages[0]?.group ?? {};
    return [readedCount, receiptOk];
  };

  test("G40 one tells how many have read a message, and never less than is known", () => {
    const hand = chatsInHand();
    rows(hand, { id: 1, sendId: ME, receipt: true });
    expect(count(hand, 1, 2).rows).toHaveLength(1);
    expect(shown(hand)).toEqual([2, false]);
    count(hand, 1, 1, true);
    expect(shown(hand)).toEqual([2, false]);
    count(hand, 1, 2, true);
    expect(shown(hand)).toEqual([2, true]);
    expect(count(hand, 1, 2, false).rows).toEqual([]);
    expect(shown(hand)).toEqual([2, true]);
  });

  test("G40 somebody who has not read may come again: more readers tell that", () => {
    const hand = chatsInHand();
    rows(hand, { id: 1, sendId: ME, receipt: true, readedCount: 2, receiptOk: true });
    count(hand, 1, 3, false);
    expect(shown(hand)).toEqual([3, false]);
  });

  test("G40 rows that come count alike, whichever is later", () => {
    const mine = (readedCount: number) =>
      talkMessage(groupRow({ id: 1, sendId: ME, receipt: true, readedCount }), ME);
    expect(mergeMessages(mine(1), mine(2)).group?.readedCount).toBe(2);
    const known = mine(2);
    expect(mergeMessages(known, mine(1))).toBe(known);
  });

  test("G40 of a message that is not in memory the disk is told", () => {
    const hand = chatsInHand();
    rows(hand, { id: 1, sendId: ME, receipt: true });
    expect(count(hand, 9, 2).receipts).toEqual([
      { key: GROUP, receipt: { id: 9, readedCount: 2, receiptOk: false } },
    ]);
    expect(count(hand, 9, 1).receipts).toEqual([]);
  });

  test("G40 one that comes before its message holds when that comes, by a row or by a page, also of a chat not known yet", () => {
    const input = groupInput(groupRow({ id: 1, sendId: ME, receipt: true, readedCount: 1 }));
    const messages = input.kind === "row" ? [input.message] : [];
    const page = { messages, isFresh: true, from: 0, to: Infinity };
    for (const came of [input, { kind: "page", key: GROUP, use: "older", page } as const]) {
      const hand = chatsInHand();
      count(hand, 1, 3, true);
      count(hand, 1, 2);
      expect(hand.chat(GROUP).isRemoved).toBe(true);
      const { rows: stored } = hand.apply(came);
      expect(shown(hand)).toEqual([3, true]);
      expect(stored).toMatchObject([{ message: { group: { readedCount: 3 } } }]);
    }
  });

  test("G40 of very many that come before their messages those of the newest are remembered", () => {
    const hand = chatsInHand();
    for (let id = 600; id > 0; id--) count(hand, id, 1);
    expect(hand.chat(GROUP).book.receipts).toHaveLength(500);
    rows(hand, { id: 600, sendId: ME, receipt: true });
    expect(shown(hand)).toEqual([1, false]);
  });

  test("G40 one of a message that was cleared brings no chat into being", () => {
    const hand = chatsInHand();
    const receipt = { id: 9, readedCount: 2, receiptOk: false };
    hand.apply({ kind: "cleared", type: "GROUP", upTo: 9 }, { kind: "receipt", key: GROUP, receipt });
    expect(hand.state.byKey).toEqual({});
  });

  test("G40 of a message that was taken back nothing is counted, whichever of the two comes first, and nobody is named", () => {
    const mine = groupRow({ id: 1, sendId: ME, receipt: true, readedCount: 1, atUserIds: [ANN] });
    const gone = groupRow({ id: 1, sendId: ME, type: MessageType.TIP_TEXT, status: MessageStatus.RECALL });
    const recall = groupRow({ id: 2, sendId: ME, type: MessageType.RECALL, content: "1" });
    for (const told of [
      [mine, recall],
      [mine, gone],
      [gone, mine],
    ]) {
      const hand = chatsInHand();
      for (const row of told) rows(hand, row);
      count(hand, 1, 2);
      expect(hand.chat(GROUP).window.messages[0]?.group).toMatchObject({
        receipt: false,
        readedCount: 0,
        atUserIds: [],
      });
    }
  });

  test("G40 an echo takes over what the server knows of it", () => {
    const group = { sendRole: 1, atUserIds: [], receipt: true, receiptOk: false, readedCount: 0 };
    const row = talkMessage(groupRow({ id: 1, sendId: ME, tmpId: "a", receipt: true, sendRole: 3 }), ME);
    expect(mergeMessages(echo("a", { group }), row).group?.sendRole).toBe(3);
  });
});
