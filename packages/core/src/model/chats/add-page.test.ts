import { MessageStatus } from "@parley/protocol/codes";
import { describe, expect, test } from "vitest";
import { chat, localEcho, FRIEND_CHAT, NOON, ownRow, privateRow } from "../../testing/builders.ts";
import { createChatHarness, type ChatHarness } from "../../testing/chat-harness.ts";
import { type ChatBuilder, beginChat } from "./chat-builder.ts";
import { newChatSync } from "./new-chat.ts";
import { addPage, showNewest, trimOldest, type PagePurpose } from "./add-page.ts";
import type { MessagePage } from "./message-page.ts";
import { toChatMessage } from "./chat-rows.ts";
import type { Chat, ChatMessage } from "../state.ts";

const idsFrom = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);

/** A page with every id from `first` to `last`. */
function page(first: number, last: number, part: Partial<MessagePage> = {}): MessagePage {
  const messages = idsFrom(first, last).map((id) => toChatMessage(privateRow({ id }), 1));
  return { messages, from: first, to: last + 1, isFromServer: false, ...part };
}

/** An open chat whose newest messages are these. */
function openAt(first: number, last: number): ChatHarness {
  const harness = createChatHarness({ historyStart: { PRIVATE: first, GROUP: 0, SYSTEM: 0 } });
  harness.dispatch({ kind: "open", key: FRIEND_CHAT, now: NOON });
  harness.rows(...idsFrom(first, last).map((id) => privateRow({ id })));
  return harness;
}

function add(harness: ChatHarness, added: MessagePage, purpose: PagePurpose) {
  return harness.dispatch({ kind: "page", key: FRIEND_CHAT, page: added, purpose });
}

test("M61 a page with a read message removes the messages up to it from the unread ones", () => {
  for (const purpose of ["older", "newest"] as const) {
    const harness = openAt(1, 3);
    const read = toChatMessage(privateRow({ id: 2, status: MessageStatus.READED }), 1);
    add(harness, { messages: [read], from: 2, to: 3, isFromServer: true }, purpose);
    expect(harness.chat()).toMatchObject({ readId: 2, unread: 1, sync: { unread: [3] } });
  }
});

describe("moving the window", () => {
  test("M36 a jump replaces the window with the page, and the window ends below the newest message", () => {
    const harness = openAt(900, 950);
    add(harness, page(100, 199, { isFromServer: true }), "around");
    expect(harness.ids()).toEqual(idsFrom(100, 199));
    expect(harness.chat().window).toMatchObject({
      hasOlder: true,
      hasNewer: true,
      older: "idle",
      newer: "idle",
    });
    expect(harness.chat().preview?.text).toBe("text 950");
  });

  test("M36 a jump to a page that touches the window joins both", () => {
    const harness = openAt(100, 150);
    add(harness, page(60, 99), "around");
    expect(harness.ids()).toEqual(idsFrom(60, 150));
    expect(harness.chat().window).toMatchObject({ hasOlder: true, hasNewer: false });
  });

  test("M37 pushed rows of a chat that shows the past update preview and unread count, are saved and stay out of the window", () => {
    const harness = openAt(900, 950);
    add(harness, page(100, 120), "around");
    const { rows } = harness.rows(privateRow({ id: 951 }));
    expect(harness.ids()).toEqual(idsFrom(100, 120));
    expect(harness.chat()).toMatchObject({ unread: 52, preview: { text: "text 951" } });
    expect(rows).toMatchObject([{ isOutsideWindow: true, message: { id: 951 } }]);
  });

  test("M37 a row above the window gets its time tip although its neighbours are not in memory", () => {
    const harness = openAt(900, 901);
    add(harness, page(100, 120), "around");
    const first = harness.rows(privateRow({ id: 951, sendTime: NOON + 10_000_000 }));
    const second = harness.rows(privateRow({ id: 952, sendTime: NOON + 10_000_001 }));
    expect(first.rows[0]?.message.hasTimeTip).toBe(true);
    expect(second.rows[0]?.message.hasTimeTip).toBe(false);
  });

  test("M38 pages join at both ends until the window reaches the beginning and the newest message", () => {
    const harness = openAt(190, 200);
    add(harness, page(100, 110), "around");
    add(harness, page(90, 99), "older");
    add(harness, page(111, 140), "newer");
    expect(harness.ids()).toEqual(idsFrom(90, 140));
    expect(harness.chat().window).toMatchObject({ hasOlder: true, hasNewer: true });
    add(harness, page(1, 89, { from: 0 }), "older");
    add(harness, page(141, 200, { to: Infinity }), "newer");
    expect(harness.ids()).toEqual(idsFrom(1, 200));
    expect(harness.chat().window).toMatchObject({ hasOlder: false, hasNewer: false });
    harness.rows(privateRow({ id: 201 }));
    expect(harness.ids().at(-1)).toBe(201);
  });

  test("M38 a page for a part that the window has left changes nothing visible", () => {
    const harness = openAt(900, 950);
    add(harness, page(100, 120), "around");
    add(harness, page(850, 899, { isFromServer: true }), "older");
    expect(harness.ids()).toEqual(idsFrom(100, 120));
    expect(harness.chat().window).toMatchObject({ hasOlder: true, hasNewer: true });
    expect(harness.chat().sync.knownFrom).toBe(850);
  });

  test("M38 a page from the server is a separate known range until another page closes the gap", () => {
    const harness = openAt(900, 950);
    add(harness, page(100, 120, { isFromServer: true }), "around");
    expect(harness.chat().sync).toMatchObject({ knownFrom: 900, olderRanges: [{ from: 100, to: 121 }] });
    add(harness, page(121, 900, { isFromServer: true }), "newer");
    expect(harness.chat().sync).toMatchObject({ knownFrom: 100, olderRanges: [] });
  });

  test("M39 returning to the newest message replaces the window, with unsent messages at its end", () => {
    const harness = openAt(900, 950);
    add(harness, page(100, 120), "around");
    harness.dispatch({ kind: "localEcho", key: FRIEND_CHAT, message: localEcho("mine") });
    expect(harness.ids()).toEqual(idsFrom(100, 120));
    expect(harness.chat().preview?.text).toBe("echo mine");
    add(harness, page(901, 950, { to: Infinity }), "newest");
    expect(harness.ids()).toEqual([...idsFrom(901, 950), null]);
    expect(harness.chat().window).toMatchObject({ hasOlder: true, hasNewer: false });
  });

  test("M39 my message that is confirmed while the window shows the past is saved and stays out of the window", () => {
    const harness = openAt(900, 950);
    add(harness, page(100, 120), "around");
    harness.dispatch({ kind: "localEcho", key: FRIEND_CHAT, message: localEcho("tmp-951") });
    const { rows } = harness.rows(ownRow({ id: 951 }));
    expect(rows).toMatchObject([{ isOutsideWindow: true, message: { id: 951, key: "tmp-951" } }]);
    expect(harness.chat().sync.pending).toEqual([]);
    expect(harness.ids()).toEqual(idsFrom(100, 120));
  });

  test("M39 a chat closed while showing the past reopens at its newest messages", () => {
    const harness = openAt(900, 950);
    add(harness, page(100, 120), "around");
    harness.dispatch({ kind: "close" });
    expect(harness.chat().window).toMatchObject({ messages: [], hasOlder: true, hasNewer: false });
    harness.rows(privateRow({ id: 951 }));
    expect(harness.ids()).toEqual([951]);
  });

  test("M40 scrolling through 10,000 messages and back keeps at most 600 in memory", () => {
    const harness = openAt(9_951, 10_000);
    for (let first = 9_901; first >= 1; first -= 50) {
      add(harness, page(first, first + 49, { from: first === 1 ? 0 : first }), "older");
      expect(harness.ids().length).toBeLessThanOrEqual(600);
    }
    expect(harness.ids()).toEqual(idsFrom(1, 600));
    expect(harness.chat().window).toMatchObject({ hasOlder: false, hasNewer: true });
    for (let first = 601; first <= 9_951; first += 50) {
      add(harness, page(first, first + 49, { to: first === 9_951 ? Infinity : first + 50 }), "newer");
      expect(harness.ids().length).toBeLessThanOrEqual(600);
    }
    expect(harness.ids()).toEqual(idsFrom(9_401, 10_000));
    expect(harness.chat().window).toMatchObject({ hasOlder: true, hasNewer: false });
  });

  test("M40 a jump that joins a full window keeps messages on both sides of its target", () => {
    const harness = openAt(401, 1_000);
    add(harness, page(351, 450), "around");
    expect(harness.ids()).toEqual(idsFrom(351, 950));
    expect(harness.chat().window).toMatchObject({ hasOlder: true, hasNewer: true });
  });

  test("M40 a long open chat keeps a bounded number of messages", () => {
    const harness = openAt(1, 1_000);
    harness.rows(...idsFrom(1_001, 1_300).map((id) => privateRow({ id })));
    expect(harness.ids()).toEqual(idsFrom(701, 1_300));
    expect(harness.chat().window).toMatchObject({ hasOlder: true, hasNewer: false });
  });

  test("M28 a window in the past stays when a gap is reported above it", () => {
    const harness = openAt(150, 200);
    add(harness, page(100, 120), "around");
    harness.dispatch({ kind: "gap", type: "PRIVATE", fromId: 500, upTo: 200 });
    expect(harness.chat().sync).toMatchObject({ knownFrom: 500, olderRanges: [{ from: 150, to: 201 }] });
    expect(harness.ids()).toEqual(idsFrom(100, 120));
  });
});

describe("one page", () => {
  const message = (id: number, part: Partial<ChatMessage> = {}): ChatMessage => ({
    ...toChatMessage(privateRow({ id }), 1),
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
    sync = {},
  ): ChatBuilder {
    const window = { ...MIDDLE, messages, ...part };
    return beginChat(chat({ key: FRIEND_CHAT, window, sync: { ...newChatSync(0), ...sync } }));
  }
  const idsIn = (builder: ChatBuilder) => builder.messages.map(({ id }) => id);
  const ends = ({ chat: { window } }: ChatBuilder) => [window.hasOlder, window.hasNewer];

  test.each<[number, number, number[]]>([
    [1, 4, [5, 6]],
    [2, 4, [2, 3, 4, 5, 6]],
    [7, 9, [5, 6, 7, 8, 9]],
    [8, 9, [5, 6]],
  ])("M38 a page from %i to %i makes a window from 5 to 6 into %j", (first, last, joined) => {
    const builder = around([message(5), message(6)]);
    const to = first === 1 ? 4 : last + 1;
    addPage(builder, page(first, last, { to }), first < 5 ? "older" : "newer");
    expect(idsIn(builder)).toEqual(joined);
    expect(ends(builder)).toEqual([true, true]);
    expect(builder.isChanged).toBe(true);
  });

  test.each<[PagePurpose, string, string]>([
    ["older", "idle", "loading"],
    ["newer", "loading", "idle"],
    ["newest", "idle", "idle"],
    ["around", "idle", "idle"],
  ])("M27 a page for %s ends the loading at its end of the window", (purpose, older, newer) => {
    const builder = around([message(5)]);
    addPage(builder, page(6, 7), purpose);
    expect(builder.chat.window).toMatchObject({ older, newer });
  });

  test("M38 only a page from 0 reaches the beginning, and only a page without an end reaches the end", () => {
    for (const [from, hasOlder] of [
      [0, false],
      [1, true],
    ] as const) {
      const joined = around([message(5)], {}, { timeTipBeforeWindow: 7 });
      addPage(joined, page(4, 4, { from, to: 5 }), "older");
      expect(ends(joined)).toEqual([hasOlder, true]);
      expect(joined.chat.sync.timeTipBeforeWindow).toBe(hasOlder ? 7 : null);
      const replaced = around([message(900)], {}, { timeTipBeforeWindow: 7 });
      addPage(replaced, page(4, 4, { from, to: 5 }), "around");
      expect(ends(replaced)).toEqual([hasOlder, true]);
      expect(replaced.chat.sync.timeTipBeforeWindow).toBeNull();
    }
    const atEnd = around([message(5)]);
    addPage(atEnd, page(6, 6, { to: Infinity }), "newer");
    expect(ends(atEnd)).toEqual([true, false]);
    const jumped = around([message(5)]);
    addPage(jumped, page(900, 900, { to: Infinity }), "newest");
    expect(ends(jumped)).toEqual([true, false]);
  });

  test("M38 an empty window in the past takes only a page without an end, and a fully known one takes any page", () => {
    const untouched = around([]);
    addPage(untouched, page(5, 6), "older");
    expect(idsIn(untouched)).toEqual([]);
    const past = around([]);
    addPage(past, page(5, 6, { to: Infinity }), "newer");
    expect(idsIn(past)).toEqual([5, 6]);
    expect(ends(past)).toEqual([true, false]);
    const whole = around([], { hasOlder: false, hasNewer: false });
    addPage(whole, page(5, 6), "older");
    expect(idsIn(whole)).toEqual([5, 6]);
    expect(ends(whole)).toEqual([false, false]);
  });

  test("M16 the last tip above the window stays known unless a page brings a tip or server rows above the window", () => {
    const timeTipBeforeWindow = (added: MessagePage) => {
      const builder = around([message(5), message(6)], {}, { timeTipBeforeWindow: 7 });
      addPage(builder, added, "older");
      return builder.chat.sync.timeTipBeforeWindow;
    };
    const tipped = [message(4, { hasTimeTip: true })];
    expect(timeTipBeforeWindow(page(4, 4))).toBe(7);
    expect(timeTipBeforeWindow(page(4, 4, { messages: tipped }))).toBeNull();
    expect(timeTipBeforeWindow(page(4, 4, { isFromServer: true }))).toBeNull();
    expect(timeTipBeforeWindow(page(5, 7, { isFromServer: true }))).toBe(7);
    expect(timeTipBeforeWindow(page(6, 7, { messages: [message(7, { hasTimeTip: true })] }))).toBe(7);
  });

  test("M17 tips of a local page are computed from its first known tip on, else for all rows", () => {
    const aged = (id: number, minutes: number, hasTimeTip = false) =>
      message(id, { sendTime: NOON + minutes * 60_000, hasTimeTip });
    const tips = (part: Partial<Chat["window"]>, added: Partial<MessagePage>) => {
      const builder = around([aged(5, 12)], part);
      const messages = [aged(3, 0), aged(4, 1, true)];
      addPage(builder, page(3, 4, { messages, ...added }), "older");
      return builder.messages.map(({ hasTimeTip }) => hasTimeTip);
    };
    expect(tips({}, {})).toEqual([false, true, true]);
    expect(tips({}, { isFromServer: true })).toEqual([true, false, true]);
    expect(tips({}, { from: 0 })).toEqual([true, false, true]);
    expect(tips({}, { messages: [aged(3, 0), aged(4, 1)] })).toEqual([true, false, true]);
  });

  test("M27 messages that the window has already are merged with those of the page", () => {
    const known = message(5);
    const builder = around([known, message(6)]);
    const messages = [message(5), message(6, { content: "better", editedAt: 9, isEdited: true })];
    addPage(builder, page(5, 6, { messages }), "newer");
    expect(builder.messages[0]).toMatchObject({ ...known, hasTimeTip: true });
    expect(builder.messages.map(({ content }) => content)).toEqual(["text 5", "better"]);
  });

  test("M27 a page with my own message replaces its local echo and takes over its key", () => {
    const mine = toChatMessage(ownRow({ id: 7, tmpId: "a" }), 1);
    const builder = around([message(6), localEcho("b"), localEcho("a")], { hasNewer: false });
    addPage(builder, page(7, 7, { messages: [mine], isFromServer: true }), "newest");
    expect(builder.messages.map(({ id, key }) => [id, key])).toEqual([
      [6, "6"],
      [7, "a"],
      [null, "b"],
    ]);
    expect(builder.confirmedCount).toBe(2);
  });

  test("M61 messages that come into memory get their status from the read positions", () => {
    const builder = around([message(9)]);
    builder.chat = { ...builder.chat, readId: 7, theirReadId: 6 };
    const messages = [
      message(6),
      message(7),
      message(8),
      ...[5, 6, 7].map((id) => toChatMessage(ownRow({ id: id - 3, tmpId: null }), 1)),
    ].sort((a, b) => (a.id ?? 0) - (b.id ?? 0));
    addPage(builder, page(2, 8, { messages }), "older");
    expect(builder.messages.map(({ id, status }) => [id, status])).toEqual([
      [2, 3],
      [3, 3],
      [4, 3],
      [6, 3],
      [7, 3],
      [8, 1],
      [9, 1],
    ]);
  });

  test("M61 only a page from the server adds unread messages and known ranges", () => {
    for (const isFromServer of [true, false]) {
      const builder = around([message(9)]);
      addPage(builder, page(7, 8, { isFromServer }), "older");
      expect(builder.unread).toEqual(isFromServer ? [7, 8] : []);
      expect(builder.chat.sync.olderRanges).toEqual([]);
      const far = around([message(90)], {}, { knownFrom: 90 });
      addPage(far, page(7, 8, { isFromServer }), "older");
      expect(far.chat.sync.olderRanges).toEqual(isFromServer ? [{ from: 7, to: 9 }] : []);
    }
  });

  test("M49 a missing preview is found in a window at the end of the chat, else only in the newest page", () => {
    const previewMissing = { needsPreview: true, newest: null };
    const found = (builder: ChatBuilder) => builder.chat.sync.newest?.id ?? null;
    const tip = (id: number) => message(id, { type: 20 });
    const atEnd = around([message(5), tip(6)], { hasNewer: false }, previewMissing);
    addPage(atEnd, page(4, 4, { messages: [tip(4)] }), "older");
    expect(found(atEnd)).toBe(5);
    const past = around([message(5)], {}, previewMissing);
    addPage(past, page(900, 900, { messages: [tip(900)] }), "older");
    expect(found(past)).toBeNull();
    expect(past.chat.sync.needsPreview).toBe(true);
  });
});

describe("trimming the window", () => {
  const message = (id: number): ChatMessage => toChatMessage(privateRow({ id }), 1);
  function full(first: number, last: number, part: Partial<Chat["window"]> = {}): ChatBuilder {
    const messages = idsFrom(first, last).map(message);
    const window = {
      messages,
      hasOlder: true,
      hasNewer: true,
      older: "idle",
      newer: "idle",
      ...part,
    } as const;
    return beginChat(chat({ key: FRIEND_CHAT, window }));
  }
  const range = ({ messages, confirmedCount }: ChatBuilder) => [
    messages[0]?.id,
    messages[confirmedCount - 1]?.id,
    confirmedCount,
  ];

  test.each<[PagePurpose, number, number, number, number, [number, number]]>([
    ["older", 1_001, 1_600, 901, 1_000, [901, 1_500]],
    ["newer", 1_001, 1_600, 1_601, 1_700, [1_101, 1_700]],
    ["newest", 1_001, 1_600, 1_601, 1_700, [1_101, 1_700]],
    ["around", 1_001, 1_600, 1_551, 1_650, [1_051, 1_650]],
    ["around", 1_001, 1_600, 951, 1_050, [951, 1_550]],
    ["around", 1_201, 1_700, 1_001, 1_700, [1_051, 1_650]],
    ["around", 1_201, 1_700, 1_002, 1_700, [1_051, 1_650]],
    ["older", 1_001, 1_500, 901, 1_000, [901, 1_500]],
  ])(
    "M40 for %s, a window from %i to %i joined with %i to %i is cut to %j",
    (purpose, from, to, first, last, kept) => {
      const builder = full(from, to);
      addPage(builder, page(first, last), purpose);
      expect(range(builder)).toEqual([...kept, kept[1] - kept[0] + 1]);
    },
  );

  test("M40 an end of the window has more messages only if some were cut there", () => {
    const whole = full(1, 500, { hasOlder: false, hasNewer: false });
    addPage(whole, page(501, 600, { to: Infinity }), "newest");
    expect(whole.chat.window).toMatchObject({ hasOlder: false, hasNewer: false });
    const cut = full(1, 500, { hasOlder: false, hasNewer: false });
    addPage(cut, page(501, 601, { to: Infinity }), "newest");
    expect(range(cut)).toEqual([2, 601, 600]);
    expect(cut.chat.window).toMatchObject({ hasOlder: true, hasNewer: false });
    const up = full(102, 601, { hasOlder: false, hasNewer: false });
    addPage(up, page(1, 101, { from: 0 }), "older");
    expect(range(up)).toEqual([1, 600, 600]);
    expect(up.chat.window).toMatchObject({ hasOlder: false, hasNewer: true });
  });

  test("M40 a jump with an empty page keeps the messages at the end", () => {
    const builder = full(1, 700, { hasNewer: false });
    addPage(builder, page(700, 699, { to: Infinity }), "around");
    expect(range(builder)).toEqual([101, 700, 600]);
  });

  test("M16 the last tip that is cut off is recorded, and the last tip of the chat when the window leaves the end", () => {
    const tipped = (id: number) => ({ ...message(id), hasTimeTip: true });
    const messages = [tipped(1), message(2), tipped(3), message(4), localEcho("a")];
    const window = { messages, hasOlder: false, hasNewer: false, older: "failed", newer: "failed" } as const;
    const builder = beginChat(chat({ key: FRIEND_CHAT, window }));
    trimOldest(builder, 0);
    expect(builder.chat.window.hasOlder).toBe(false);
    trimOldest(builder, 2);
    expect(builder.messages.map(({ id }) => id)).toEqual([3, 4, null]);
    expect(builder).toMatchObject({
      confirmedCount: 2,
      chat: { sync: { timeTipBeforeWindow: NOON + 1_000, newestTimeTip: null } },
    });
    addPage(builder, page(1, 1), "around");
    expect(builder.messages.map(({ id }) => id)).toEqual([1, null]);
    expect(builder.chat.sync).toMatchObject({ timeTipBeforeWindow: null, newestTimeTip: NOON + 3_000 });
    addPage(builder, page(900, 900), "around");
    expect(builder.chat.sync.newestTimeTip).toBe(NOON + 3_000);
    showNewest(builder);
    expect(builder.messages.map(({ id }) => id)).toEqual([null]);
    expect(builder).toMatchObject({
      confirmedCount: 0,
      chat: {
        sync: { timeTipBeforeWindow: NOON + 3_000 },
        window: { hasOlder: true, hasNewer: false, older: "idle", newer: "idle" },
      },
    });
  });
});
