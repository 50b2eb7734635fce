import { MessageStatus } from "@parley/protocol/codes";
import { describe, expect, test } from "vitest";
import { chat, echo, FRIEND_CHAT, NOON, ownRow, privateRow } from "../testing/builders.ts";
import { chatsInHand, type ChatsInHand } from "../testing/chats.ts";
import { type ChatDraft, openDraft } from "./draft.ts";
import { newBook } from "./new-chat.ts";
import { addPage, backToHead, cutTop, type Page, type PageUse } from "./page.ts";
import { talkMessage } from "./rows.ts";
import type { Chat, ChatMessage } from "./state.ts";

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

describe("one page", () => {
  const message = (id: number, part: Partial<ChatMessage> = {}): ChatMessage => ({
    ...talkMessage(privateRow({ id }), 1),
    ...part,
  });
  const MIDDLE = {
    messages: [],
    hasOlder: true,
    hasNewer: true,
    older: "loading",
    newer: "loading",
  } as const;

  /** A window in the middle of a chat, with its neighbours on both sides. */
  function around(
    messages: readonly ChatMessage[],
    part: Partial<Chat["window"]> = {},
    book = {},
  ): ChatDraft {
    const window = { ...MIDDLE, messages, ...part };
    return openDraft(chat({ key: FRIEND_CHAT, window, book: { ...newBook(0), ...book } }));
  }
  const shown = (draft: ChatDraft) => draft.messages.map(({ id }) => id);
  const ends = ({ chat: { window } }: ChatDraft) => [window.hasOlder, window.hasNewer];

  test.each<[number, number, number[]]>([
    [1, 4, [5, 6]],
    [2, 4, [2, 3, 4, 5, 6]],
    [7, 9, [5, 6, 7, 8, 9]],
    [8, 9, [5, 6]],
  ])("M38 one from %i to %i joins a window from 5 to 6 as %j", (first, last, joined) => {
    const draft = around([message(5), message(6)]);
    const to = first === 1 ? 4 : last + 1;
    addPage(draft, page(first, last, { to }), first < 5 ? "older" : "newer");
    expect(shown(draft)).toEqual(joined);
    expect(ends(draft)).toEqual([true, true]);
    expect(draft.isTouched).toBe(true);
  });

  test.each<[PageUse, string, string]>([
    ["older", "idle", "loading"],
    ["newer", "loading", "idle"],
    ["newest", "idle", "idle"],
    ["around", "idle", "idle"],
  ])("M27 one for %s ends the loading at its end of the window", (use, older, newer) => {
    const draft = around([message(5)]);
    addPage(draft, page(6, 7), use);
    expect(draft.chat.window).toMatchObject({ older, newer });
  });

  test("M38 the beginning is reached by one from 0, and by no other; the end by one without an end", () => {
    for (const [from, hasOlder] of [
      [0, false],
      [1, true],
    ] as const) {
      const joined = around([message(5)], {}, { tipBase: 7 });
      addPage(joined, page(4, 4, { from, to: 5 }), "older");
      expect(ends(joined)).toEqual([hasOlder, true]);
      expect(joined.chat.book.tipBase).toBe(hasOlder ? 7 : null);
      const replaced = around([message(900)], {}, { tipBase: 7 });
      addPage(replaced, page(4, 4, { from, to: 5 }), "around");
      expect(ends(replaced)).toEqual([hasOlder, true]);
      expect(replaced.chat.book.tipBase).toBeNull();
    }
    const atEnd = around([message(5)]);
    addPage(atEnd, page(6, 6, { to: Infinity }), "newer");
    expect(ends(atEnd)).toEqual([true, false]);
    const jumped = around([message(5)]);
    addPage(jumped, page(900, 900, { to: Infinity }), "newest");
    expect(ends(jumped)).toEqual([true, false]);
  });

  test("M38 a window without messages holds nothing, at its end whatever comes, and is touched by nothing below", () => {
    const nothing = around([]);
    addPage(nothing, page(5, 6), "older");
    expect(shown(nothing)).toEqual([]);
    const past = around([]);
    addPage(past, page(5, 6, { to: Infinity }), "newer");
    expect(shown(past)).toEqual([5, 6]);
    expect(ends(past)).toEqual([true, false]);
    const whole = around([], { hasOlder: false, hasNewer: false });
    addPage(whole, page(5, 6), "older");
    expect(shown(whole)).toEqual([5, 6]);
    expect(ends(whole)).toEqual([false, false]);
  });

  test("M16 the tip above the window stays known by pages that bring none above it", () => {
    const tipBase = (added: Page) => {
      const draft = around([message(5), message(6)], {}, { tipBase: 7 });
      addPage(draft, added, "older");
      return draft.chat.book.tipBase;
    };
    const tipped = [message(4, { hasTimeTip: true })];
    expect(tipBase(page(4, 4))).toBe(7);
    expect(tipBase(page(4, 4, { messages: tipped }))).toBeNull();
    expect(tipBase(page(4, 4, { isFresh: true }))).toBeNull();
    expect(tipBase(page(5, 7, { isFresh: true }))).toBe(7);
    expect(tipBase(page(6, 7, { messages: [message(7, { hasTimeTip: true })] }))).toBe(7);
  });

  test("M17 of a page from the disk tips are placed from the first that is known on, else all of them", () => {
    const old = (id: number, minutes: number, hasTimeTip = false) =>
      message(id, { sendTime: NOON + minutes * 60_000, hasTimeTip });
    const tips = (part: Partial<Chat["window"]>, added: Partial<Page>) => {
      const draft = around([old(5, 12)], part);
      const messages = [old(3, 0), old(4, 1, true)];
      addPage(draft, page(3, 4, { messages, ...added }), "older");
      return draft.messages.map(({ hasTimeTip }) => hasTimeTip);
    };
    expect(tips({}, {})).toEqual([false, true, true]);
    expect(tips({}, { isFresh: true })).toEqual([true, false, true]);
    expect(tips({}, { from: 0 })).toEqual([true, false, true]);
    expect(tips({}, { messages: [old(3, 0), old(4, 1)] })).toEqual([true, false, true]);
  });

  test("M27 what the window has already is merged, and one that differs takes its place", () => {
    const known = message(5);
    const draft = around([known, message(6)]);
    const messages = [message(5), message(6, { content: "better", editedAt: 9, isEdited: true })];
    addPage(draft, page(5, 6, { messages }), "newer");
    expect(draft.messages[0]).toMatchObject({ ...known, hasTimeTip: true });
    expect(draft.messages.map(({ content }) => content)).toEqual(["text 5", "better"]);
  });

  test("M27 one that brings a message of mine takes its echo's place, and its key", () => {
    const mine = talkMessage(ownRow({ id: 7, tmpId: "a" }), 1);
    const draft = around([message(6), echo("b"), echo("a")], { hasNewer: false });
    addPage(draft, page(7, 7, { messages: [mine], isFresh: true }), "newest");
    expect(draft.messages.map(({ id, key }) => [id, key])).toEqual([
      [6, "6"],
      [7, "a"],
      [null, "b"],
    ]);
    expect(draft.confirmed).toBe(2);
  });

  test("M61 messages that come into memory have the state that the read positions give them", () => {
    const draft = around([message(9)]);
    draft.chat = { ...draft.chat, readId: 7, theirReadId: 6 };
    const messages = [
      message(6),
      message(7),
      message(8),
      ...[5, 6, 7].map((id) => talkMessage(ownRow({ id: id - 3, tmpId: null }), 1)),
    ].sort((a, b) => (a.id ?? 0) - (b.id ?? 0));
    addPage(draft, page(2, 8, { messages }), "older");
    expect(draft.messages.map(({ id, status }) => [id, status])).toEqual([
      [2, 3],
      [3, 3],
      [4, 3],
      [6, 3],
      [7, 3],
      [8, 1],
      [9, 1],
    ]);
  });

  test("M61 only a page of the server tells what is unread", () => {
    for (const isFresh of [true, false]) {
      const draft = around([message(9)]);
      addPage(draft, page(7, 8, { isFresh }), "older");
      expect(draft.unread).toEqual(isFresh ? [7, 8] : []);
      expect(draft.chat.book.islands).toEqual([]);
      const far = around([message(90)], {}, { knownFrom: 90 });
      addPage(far, page(7, 8, { isFresh }), "older");
      expect(far.chat.book.islands).toEqual(isFresh ? [{ from: 7, to: 9 }] : []);
    }
  });

  test("M49 a preview that is to be found is found in the window at its end, else in the newest page", () => {
    const hollow = { isHollow: true, newest: null };
    const found = (draft: ChatDraft) => draft.chat.book.newest?.id ?? null;
    const tip = (id: number) => message(id, { type: 20 });
    const atEnd = around([message(5), tip(6)], { hasNewer: false }, hollow);
    addPage(atEnd, page(4, 4, { messages: [tip(4)] }), "older");
    expect(found(atEnd)).toBe(5);
    const past = around([message(5)], {}, hollow);
    addPage(past, page(900, 900, { messages: [tip(900)] }), "older");
    expect(found(past)).toBeNull();
    expect(past.chat.book.isHollow).toBe(true);
  });
});

describe("what a window lets go of", () => {
  const message = (id: number): ChatMessage => talkMessage(privateRow({ id }), 1);
  function full(first: number, last: number, part: Partial<Chat["window"]> = {}): ChatDraft {
    const messages = run(first, last).map(message);
    const window = {
      messages,
      hasOlder: true,
      hasNewer: true,
      older: "idle",
      newer: "idle",
      ...part,
    } as const;
    return openDraft(chat({ key: FRIEND_CHAT, window }));
  }
  const span = ({ messages, confirmed }: ChatDraft) => [
    messages[0]?.id,
    messages[confirmed - 1]?.id,
    confirmed,
  ];

  test.each<[PageUse, number, number, number, number, [number, number]]>([
    ["older", 1_001, 1_600, 901, 1_000, [901, 1_500]],
    ["newer", 1_001, 1_600, 1_601, 1_700, [1_101, 1_700]],
    ["newest", 1_001, 1_600, 1_601, 1_700, [1_101, 1_700]],
    ["around", 1_001, 1_600, 1_551, 1_650, [1_051, 1_650]],
    ["around", 1_001, 1_600, 951, 1_050, [951, 1_550]],
    ["around", 1_201, 1_700, 1_001, 1_700, [1_051, 1_650]],
    ["around", 1_201, 1_700, 1_002, 1_700, [1_051, 1_650]],
    ["older", 1_001, 1_500, 901, 1_000, [901, 1_500]],
  ])("M40 for %s, a window from %i to %i with %i to %i ends as %j", (use, a, b, first, last, left) => {
    const draft = full(a, b);
    addPage(draft, page(first, last), use);
    expect(span(draft)).toEqual([...left, left[1] - left[0] + 1]);
  });

  test("M40 an end is let go of only when something is cut there", () => {
    const whole = full(1, 500, { hasOlder: false, hasNewer: false });
    addPage(whole, page(501, 600, { to: Infinity }), "newest");
    expect(whole.chat.window).toMatchObject({ hasOlder: false, hasNewer: false });
    const cut = full(1, 500, { hasOlder: false, hasNewer: false });
    addPage(cut, page(501, 601, { to: Infinity }), "newest");
    expect(span(cut)).toEqual([2, 601, 600]);
    expect(cut.chat.window).toMatchObject({ hasOlder: true, hasNewer: false });
    const up = full(102, 601, { hasOlder: false, hasNewer: false });
    addPage(up, page(1, 101, { from: 0 }), "older");
    expect(span(up)).toEqual([1, 600, 600]);
    expect(up.chat.window).toMatchObject({ hasOlder: false, hasNewer: true });
  });

  test("M40 after a page without messages those at the end stay", () => {
    const draft = full(1, 700, { hasNewer: false });
    addPage(draft, page(700, 699, { to: Infinity }), "around");
    expect(span(draft)).toEqual([101, 700, 600]);
  });

  test("M16 the last tip that is cut off is noted, and the last of all where the end is", () => {
    const tipped = (id: number) => ({ ...message(id), hasTimeTip: true });
    const messages = [tipped(1), message(2), tipped(3), message(4), echo("a")];
    const window = { messages, hasOlder: false, hasNewer: false, older: "failed", newer: "failed" } as const;
    const draft = openDraft(chat({ key: FRIEND_CHAT, window }));
    cutTop(draft, 0);
    expect(draft.chat.window.hasOlder).toBe(false);
    cutTop(draft, 2);
    expect(draft.messages.map(({ id }) => id)).toEqual([3, 4, null]);
    expect(draft).toMatchObject({ confirmed: 2, chat: { book: { tipBase: NOON + 1_000, headTip: null } } });
    addPage(draft, page(1, 1), "around");
    expect(draft.messages.map(({ id }) => id)).toEqual([1, null]);
    expect(draft.chat.book).toMatchObject({ tipBase: null, headTip: NOON + 3_000 });
    addPage(draft, page(900, 900), "around");
    expect(draft.chat.book.headTip).toBe(NOON + 3_000);
    backToHead(draft);
    expect(draft.messages.map(({ id }) => id)).toEqual([null]);
    expect(draft).toMatchObject({
      confirmed: 0,
      chat: {
        book: { tipBase: NOON + 3_000 },
        window: { hasOlder: true, hasNewer: false, older: "idle", newer: "idle" },
      },
    });
  });
});
