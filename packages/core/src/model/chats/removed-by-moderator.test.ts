import { expect, test } from "vitest";
import { chat, groupRow, ME, NOON } from "../../testing/builders.ts";
import { beginChat } from "./chat-builder.ts";
import { newestRowOf } from "./insert-row.ts";
import { newChatSync } from "./new-chat.ts";
import { previewOf } from "./preview.ts";
import { isRemovedByModerator, removeByModerator, maskRemovedQuotes } from "./removed-by-moderator.ts";
import { applyReceipts, mergeReceipts, recordReceipt, withReceipt } from "./receipts.ts";
import { invalidateMessages } from "./invalidate-messages.ts";
import { toChatMessage } from "./chat-rows.ts";
import type { Chat, ChatSync, ChatMessage, RowEvent } from "../state.ts";

const ANN = 7;
const GROUP = "GROUP:5";
const row = (id: number, sendId: number, part = {}): ChatMessage =>
  toChatMessage(groupRow({ id, sendId, ...part }), ME);
const purge = { userId: ANN, upTo: 5 };
const quoteOf = (id: number, sendId: number) => ({ id, sendId, content: "x", type: 0, status: 1 });

function draftOf(messages: readonly ChatMessage[], sync: Partial<ChatSync> = {}, part: Partial<Chat> = {}) {
  const window = { messages, hasOlder: false, hasNewer: false, older: "idle", newer: "idle" } as const;
  return beginChat(chat({ key: GROUP, window, sync: { ...newChatSync(0), ...sync }, ...part }), ME);
}

test("G39 gone is what that person wrote up to the id, and nothing else", () => {
  const gone = (id: number | null, sendId: number) => isRemovedByModerator({ id, sendId }, [purge]);
  expect([gone(4, ANN), gone(5, ANN), gone(6, ANN), gone(5, 8), gone(null, ANN)]).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
  expect(isRemovedByModerator({ id: 5, sendId: ANN }, [])).toBe(false);
  expect(isRemovedByModerator({ id: 5, sendId: ANN }, [{ userId: 8, upTo: 9 }, purge])).toBe(true);
});

test("G39 quotes of it are masked, others and masked ones stay the same message", () => {
  const quoting = row(9, 8, { quoteMessage: quoteOf(5, ANN) });
  const masked = { id: 5, sendId: ANN, type: 21, content: "", status: 1 };
  const after = maskRemovedQuotes(quoting, [purge]);
  expect(after).toEqual({ ...quoting, quoteMessage: masked });
  expect(maskRemovedQuotes(after, [purge])).toBe(after);
  expect(maskRemovedQuotes(quoting, [])).toBe(quoting);
  for (const same of [row(9, 8), row(9, 8, { quoteMessage: quoteOf(6, ANN) })])
    expect(maskRemovedQuotes(same, [purge])).toBe(same);
});

test("G39 one that is known, or a lower one, does nothing; of others all stay", () => {
  for (const upTo of [5, 6])
    expect(
      removeByModerator(draftOf([row(5, ANN)], { removedByModerator: [{ userId: ANN, upTo }] }), purge),
    ).toBeNull();
  const draft = draftOf([row(5, ANN)], {
    removedByModerator: [
      { userId: 8, upTo: 9 },
      { userId: ANN, upTo: 4 },
    ],
  });
  expect(removeByModerator(draft, purge)).toEqual([]);
  expect(draft.chat.sync.removedByModerator).toEqual([{ userId: 8, upTo: 9 }, purge]);
  expect(draft.messages).toEqual([]);
});

test("G39 edits of that person up to the id go, and no recall, nor an edit of somebody unknown", () => {
  const event = (id: number, type: 7 | 10, by: RowEvent["by"]): RowEvent => ({
    id,
    type,
    targetId: id - 1,
    content: "x",
    sendTime: NOON,
    by,
  });
  const ann = { id: ANN, name: "Ann" };
  const gone = [event(3, 7, ann), event(5, 7, ann)];
  const left = [event(2, 10, ann), event(4, 7, null), event(5, 7, { id: 8, name: "" }), event(6, 7, ann)];
  const draft = draftOf([], { events: [...gone, ...left] });
  removeByModerator(draft, purge);
  expect(draft.chat.sync.events).toEqual(left);
});

test("G39 the last line and the draft's quote go when they are of that person, else they stay", () => {
  for (const sendId of [ANN, 8]) {
    const last = row(5, sendId);
    const preview = previewOf(last);
    const newest = preview === null ? null : newestRowOf(last, 5, preview);
    const draftQuote = { id: 4, sendId, sendNickName: "", type: 0, content: "" };
    const draft = draftOf([row(3, 8), last], { newest }, { draftQuote });
    removeByModerator(draft, purge);
    expect(draft.chat.sync.newest?.id).toBe(sendId === ANN ? 3 : 5);
    expect(draft.chat.draftQuote).toEqual(sendId === ANN ? null : draftQuote);
  }
});

test("G51 all up to the id is forgotten, and never less than was", () => {
  const draft = draftOf([row(5, 8), row(6, 8)], {
    knownFrom: 9,
    olderRanges: [{ from: 1, to: 2 }],
    unread: [5],
    unreadSenders: [8],
    newestTimeTip: 3,
    timeTipBeforeWindow: 4,
  });
  invalidateMessages(draft, 6);
  expect(draft).toMatchObject({ messages: [], unread: [], unreadSenders: [], isChanged: true });
  expect(draft.chat.sync).toMatchObject({
    knownFrom: 9,
    olderRanges: [],
    newestTimeTip: null,
    timeTipBeforeWindow: null,
    needsPreview: false,
  });
  const next = draftOf([row(5, 8)], { knownFrom: 5 });
  invalidateMessages(next, 5);
  expect(next.chat.sync.knownFrom).toBe(6);
});

test("G40 the larger count is the later one; with as many, that all have read", () => {
  const count = (readedCount: number, receiptOk = false) => ({ readedCount, receiptOk });
  const known = count(2, true);
  expect(mergeReceipts(known, count(3))).toEqual(count(3));
  expect(mergeReceipts(known, count(2))).toBe(known);
  expect(mergeReceipts(known, count(1, true))).toBe(known);
  expect(mergeReceipts(count(2), count(2, true))).toEqual(known);
  expect(mergeReceipts(count(2), count(1, true))).toEqual(count(2));
  expect(mergeReceipts(count(1, true), count(2, true))).toEqual(known);
});

test("G40 receipts are noted in the order of their messages, each once", () => {
  const receipt = (id: number, readedCount = 1) => ({ id, readedCount, receiptOk: false });
  const noted = [receipt(3), receipt(5)];
  expect(recordReceipt(noted, receipt(4))).toEqual([receipt(3), receipt(4), receipt(5)]);
  expect(recordReceipt(noted, receipt(3, 2))).toEqual([receipt(3, 2), receipt(5)]);
  expect(recordReceipt(noted, receipt(3))).toBe(noted);
});

test("G40 a message takes the receipt of its own id", () => {
  const mine = row(5, ME, { receipt: true });
  const told = { id: 5, readedCount: 2, receiptOk: true };
  expect(applyReceipts(mine, [{ ...told, id: 4 }, told])).toEqual(
    row(5, ME, { receipt: true, readedCount: 2, receiptOk: true }),
  );
  expect(applyReceipts(mine, [{ ...told, id: 4 }])).toBe(mine);
  const known = withReceipt(mine, told);
  expect(withReceipt(known, told)).toBe(known);
  const gone = { ...mine, status: 2 } as const;
  expect(withReceipt(gone, told)).toBe(gone);
  const alone = { ...mine, group: null };
  expect(withReceipt(alone, told)).toBe(alone);
});
