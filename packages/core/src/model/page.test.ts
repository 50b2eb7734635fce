import { MessageStatus } from "@parley/protocol/codes";
import { describe, expect, test } from "vitest";
import { echo, FRIEND_CHAT, NOON, ownRow, privateRow } from "../testing/builders.ts";
import { chatsInHand, type ChatsInHand } from "../testing/chats.ts";
import type { Page, PageUse } from "./page.ts";
import { talkMessage } from "./rows.ts";

const run = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);

/** Every id from `first` to `last`, and nothing else in there. */
function page(first: number, last: number, part: Partial<Page> = {}): Page {
  const messages = run(first, last).map((id) => talkMessage(privateRow({ id }), 1));
  return { messages, from: first, to: last + 1, isFresh: false, ...part };
}

/** An open chat whose newest messages are these. */
function openAt(first: number, last: number): ChatsInHand {
  const hand = chatsInHand({ floors: { PRIVATE: first, GROUP: 0, SYSTEM: 0 } });
  hand.apply({ kind: "open", key: FRIEND_CHAT, now: NOON });
  hand.rows(...run(first, last).map((id) => privateRow({ id })));
  return hand;
}

function add(hand: ChatsInHand, added: Page, use: PageUse) {
  return hand.apply({ kind: "page", key: FRIEND_CHAT, page: added, use });
}

test("M61 a page that tells what was read takes it from the unread ones, whoever tells it first", () => {
  for (const use of ["older", "newest"] as const) {
    const hand = openAt(1, 3);
    const read = talkMessage(privateRow({ id: 2, status: MessageStatus.READED }), 1);
    add(hand, { messages: [read], from: 2, to: 3, isFresh: true }, use);
    expect(hand.chat()).toMatchObject({ readId: 2, unread: 1, book: { unread: [3] } });
  }
});

describe("a window that moves", () => {
  test("M36 a jump puts the page in place of the window, which then ends below the newest message", () => {
    const hand = openAt(900, 950);
    add(hand, page(100, 199, { isFresh: true }), "around");
    expect(hand.ids()).toEqual(run(100, 199));
    expect(hand.chat().window).toMatchObject({
      hasOlder: true,
      hasNewer: true,
      older: "idle",
      newer: "idle",
    });
    expect(hand.chat().preview?.text).toBe("text 950");
  });

  test("M36 a jump near by joins page and window", () => {
    const hand = openAt(100, 150);
    add(hand, page(60, 99), "around");
    expect(hand.ids()).toEqual(run(60, 150));
    expect(hand.chat().window).toMatchObject({ hasOlder: true, hasNewer: false });
  });

  test("M37 live rows update preview, unread and disk of a chat that shows the past, and stay out of the window", () => {
    const hand = openAt(900, 950);
    add(hand, page(100, 120), "around");
    const { rows } = hand.rows(privateRow({ id: 951 }));
    expect(hand.ids()).toEqual(run(100, 120));
    expect(hand.chat()).toMatchObject({ unread: 52, preview: { text: "text 951" } });
    expect(rows).toMatchObject([{ isOutside: true, message: { id: 951 } }]);
  });

  test("M37 a row that a later moment needs a time tip for has it, though its neighbours are not in memory", () => {
    const hand = openAt(900, 901);
    add(hand, page(100, 120), "around");
    const first = hand.rows(privateRow({ id: 951, sendTime: NOON + 10_000_000 }));
    const second = hand.rows(privateRow({ id: 952, sendTime: NOON + 10_000_001 }));
    expect(first.rows[0]?.message.hasTimeTip).toBe(true);
    expect(second.rows[0]?.message.hasTimeTip).toBe(false);
  });

  test("M38 pages join at both ends until the window reaches beginning and newest message", () => {
    const hand = openAt(190, 200);
    add(hand, page(100, 110), "around");
    add(hand, page(90, 99), "older");
    add(hand, page(111, 140), "newer");
    expect(hand.ids()).toEqual(run(90, 140));
    expect(hand.chat().window).toMatchObject({ hasOlder: true, hasNewer: true });
    add(hand, page(1, 89, { from: 0 }), "older");
    add(hand, page(141, 200, { to: Infinity }), "newer");
    expect(hand.ids()).toEqual(run(1, 200));
    expect(hand.chat().window).toMatchObject({ hasOlder: false, hasNewer: false });
    hand.rows(privateRow({ id: 201 }));
    expect(hand.ids().at(-1)).toBe(201);
  });

  test("M38 a page for a place the window has left changes nothing to be seen", () => {
    const hand = openAt(900, 950);
    add(hand, page(100, 120), "around");
    add(hand, page(850, 899, { isFresh: true }), "older");
    expect(hand.ids()).toEqual(run(100, 120));
    expect(hand.chat().window).toMatchObject({ hasOlder: true, hasNewer: true });
    expect(hand.chat().book.knownFrom).toBe(850);
  });

  test("M38 a page of the server is an island on the disk until another one closes the hole", () => {
    const hand = openAt(900, 950);
    add(hand, page(100, 120, { isFresh: true }), "around");
    expect(hand.chat().book).toMatchObject({ knownFrom: 900, islands: [{ from: 100, to: 121 }] });
    add(hand, page(121, 900, { isFresh: true }), "newer");
    expect(hand.chat().book).toMatchObject({ knownFrom: 100, islands: [] });
  });

  test("M39 back to the newest: the window is replaced, and what is on its way stands at its end", () => {
    const hand = openAt(900, 950);
    add(hand, page(100, 120), "around");
    hand.apply({ kind: "echo", key: FRIEND_CHAT, message: echo("mine") });
    expect(hand.ids()).toEqual(run(100, 120));
    expect(hand.chat().preview?.text).toBe("echo mine");
    add(hand, page(901, 950, { to: Infinity }), "newest");
    expect(hand.ids()).toEqual([...run(901, 950), null]);
    expect(hand.chat().window).toMatchObject({ hasOlder: true, hasNewer: false });
  });

  test("M39 a message of mine that is confirmed while the window shows the past goes to the disk", () => {
    const hand = openAt(900, 950);
    add(hand, page(100, 120), "around");
    hand.apply({ kind: "echo", key: FRIEND_CHAT, message: echo("tmp-951") });
    const { rows } = hand.rows(ownRow({ id: 951 }));
    expect(rows).toMatchObject([{ isOutside: true, message: { id: 951, key: "tmp-951" } }]);
    expect(hand.chat().book.pending).toEqual([]);
    expect(hand.ids()).toEqual(run(100, 120));
  });

  test("M39 a chat that is closed in the past begins anew at its end", () => {
    const hand = openAt(900, 950);
    add(hand, page(100, 120), "around");
    hand.apply({ kind: "close" });
    expect(hand.chat().window).toMatchObject({ messages: [], hasOlder: true, hasNewer: false });
    hand.rows(privateRow({ id: 951 }));
    expect(hand.ids()).toEqual([951]);
  });

  test("M40 of 10,000 messages that were scrolled up and back at most 600 stay", () => {
    const hand = openAt(9_951, 10_000);
    for (let first = 9_901; first >= 1; first -= 50) {
      add(hand, page(first, first + 49, { from: first === 1 ? 0 : first }), "older");
      expect(hand.ids().length).toBeLessThanOrEqual(600);
    }
    expect(hand.ids()).toEqual(run(1, 600));
    expect(hand.chat().window).toMatchObject({ hasOlder: false, hasNewer: true });
    for (let first = 601; first <= 9_951; first += 50) {
      add(hand, page(first, first + 49, { to: first === 9_951 ? Infinity : first + 50 }), "newer");
      expect(hand.ids().length).toBeLessThanOrEqual(600);
    }
    expect(hand.ids()).toEqual(run(9_401, 10_000));
    expect(hand.chat().window).toMatchObject({ hasOlder: true, hasNewer: false });
  });

  test("M40 a jump into a full window keeps both sides of its place", () => {
    const hand = openAt(401, 1_000);
    add(hand, page(351, 450), "around");
    expect(hand.ids()).toEqual(run(351, 950));
    expect(hand.chat().window).toMatchObject({ hasOlder: true, hasNewer: true });
  });

  test("M40 an open chat in which people talk for hours does not grow without end", () => {
    const hand = openAt(1, 1_000);
    hand.rows(...run(1_001, 1_300).map((id) => privateRow({ id })));
    expect(hand.ids()).toEqual(run(701, 1_300));
    expect(hand.chat().window).toMatchObject({ hasOlder: true, hasNewer: false });
  });

  test("M28 who reads below a gap when it is told stays there", () => {
    const hand = openAt(150, 200);
    add(hand, page(100, 120), "around");
    hand.apply({ kind: "gap", type: "PRIVATE", fromId: 500, upTo: 200 });
    expect(hand.chat().book).toMatchObject({ knownFrom: 500, islands: [{ from: 150, to: 201 }] });
    expect(hand.ids()).toEqual(run(100, 120));
  });
});
