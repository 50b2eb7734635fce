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
const removal = { userId: ANN, upTo: 5 };
const quoteOf = (id: number, sendId: number) => ({ id, sendId, content: "x", type: 0, status: 1 });

function builderOf(messages: readonly ChatMessage[], sync: Partial<ChatSync> = {}, part: Partial<Chat> = {}) {
  const window = { messages, hasOlder: false, hasNewer: false, older: "idle", newer: "idle" } as const;
  return beginChat(chat({ key: GROUP, window, sync: { ...newChatSync(0), ...sync }, ...part }), ME);
}

test("G39 only messages of that person up to the id are removed", () => {
  const isRemoved = (id: number | null, sendId: number) => isRemovedByModerator({ id, sendId }, [removal]);
  expect([
    isRemoved(4, ANN),
    isRemoved(5, ANN),
    isRemoved(6, ANN),
    isRemoved(5, 8),
    isRemoved(null, ANN),
  ]).toEqual([true, true, false, false, false]);
  expect(isRemovedByModerator({ id: 5, sendId: ANN }, [])).toBe(false);
  expect(isRemovedByModerator({ id: 5, sendId: ANN }, [{ userId: 8, upTo: 9 }, removal])).toBe(true);
});

test("G39 quotes of removed messages are masked, and messages with other or masked quotes keep their identity", () => {
  const quoting = row(9, 8, { quoteMessage: quoteOf(5, ANN) });
  const masked = { id: 5, sendId: ANN, type: 21, content: "", status: 1 };
  const after = maskRemovedQuotes(quoting, [removal]);
  expect(after).toEqual({ ...quoting, quoteMessage: masked });
  expect(maskRemovedQuotes(after, [removal])).toBe(after);
  expect(maskRemovedQuotes(quoting, [])).toBe(quoting);
  for (const same of [row(9, 8), row(9, 8, { quoteMessage: quoteOf(6, ANN) })])
    expect(maskRemovedQuotes(same, [removal])).toBe(same);
});

test("G39 a known or lower removal does nothing, and removals of others stay", () => {
  for (const upTo of [5, 6])
    expect(
      removeByModerator(builderOf([row(5, ANN)], { removedByModerator: [{ userId: ANN, upTo }] }), removal),
    ).toBeNull();
  const builder = builderOf([row(5, ANN)], {
    removedByModerator: [
      { userId: 8, upTo: 9 },
      { userId: ANN, upTo: 4 },
    ],
  });
  expect(removeByModerator(builder, removal)).toEqual([]);
  expect(builder.chat.sync.removedByModerator).toEqual([{ userId: 8, upTo: 9 }, removal]);
  expect(builder.messages).toEqual([]);
});

test("G39 recorded edits of that person up to the id are dropped; recalls and edits of others stay", () => {
  const event = (id: number, type: 7 | 10, by: RowEvent["by"]): RowEvent => ({
    id,
    type,
    targetId: id - 1,
    content: "x",
    sendTime: NOON,
    by,
  });
  const ann = { id: ANN, name: "Ann" };
  const dropped = [event(3, 7, ann), event(5, 7, ann)];
  const kept = [event(2, 10, ann), event(4, 7, null), event(5, 7, { id: 8, name: "" }), event(6, 7, ann)];
  const builder = builderOf([], { events: [...dropped, ...kept] });
  removeByModerator(builder, removal);
  expect(builder.chat.sync.events).toEqual(kept);
});

test("G39 the preview and the draft's quote are dropped only when they are of that person", () => {
  for (const sendId of [ANN, 8]) {
    const last = row(5, sendId);
    const preview = previewOf(last);
    const newest = preview === null ? null : newestRowOf(last, 5, preview);
    const draftQuote = { id: 4, sendId, sendNickName: "", type: 0, content: "" };
    const builder = builderOf([row(3, 8), last], { newest }, { draftQuote });
    removeByModerator(builder, removal);
    expect(builder.chat.sync.newest?.id).toBe(sendId === ANN ? 3 : 5);
    expect(builder.chat.draftQuote).toEqual(sendId === ANN ? null : draftQuote);
  }
});

test("G51 messages up to the id are forgotten, and the known range never grows", () => {
  const builder = builderOf([row(5, 8), row(6, 8)], {
    knownFrom: 9,
    olderRanges: [{ from: 1, to: 2 }],
    unread: [5],
    unreadSenders: [8],
    newestTimeTip: 3,
    timeTipBeforeWindow: 4,
  });
  invalidateMessages(builder, 6);
  expect(builder).toMatchObject({ messages: [], unread: [], unreadSenders: [], isChanged: true });
  expect(builder.chat.sync).toMatchObject({
    knownFrom: 9,
    olderRanges: [],
    newestTimeTip: null,
    timeTipBeforeWindow: null,
    needsPreview: false,
  });
  const next = builderOf([row(5, 8)], { knownFrom: 5 });
  invalidateMessages(next, 5);
  expect(next.chat.sync.knownFrom).toBe(6);
});

test("G40 the larger read count is the later one; of equal counts, the one with all have read", () => {
  const count = (readedCount: number, receiptOk = false) => ({ readedCount, receiptOk });
  const known = count(2, true);
  expect(mergeReceipts(known, count(3))).toEqual(count(3));
  expect(mergeReceipts(known, count(2))).toBe(known);
  expect(mergeReceipts(known, count(1, true))).toBe(known);
  expect(mergeReceipts(count(2), count(2, true))).toEqual(known);
  expect(mergeReceipts(count(2), count(1, true))).toEqual(count(2));
  expect(mergeReceipts(count(1, true), count(2, true))).toEqual(known);
});

test("G40 receipts are recorded once each in the order of their messages", () => {
  const receipt = (id: number, readedCount = 1) => ({ id, readedCount, receiptOk: false });
  const recorded = [receipt(3), receipt(5)];
  expect(recordReceipt(recorded, receipt(4))).toEqual([receipt(3), receipt(4), receipt(5)]);
  expect(recordReceipt(recorded, receipt(3, 2))).toEqual([receipt(3, 2), receipt(5)]);
  expect(recordReceipt(recorded, receipt(3))).toBe(recorded);
});

test("G40 a message takes the receipt of its own id", () => {
  const mine = row(5, ME, { receipt: true });
  const receipt = { id: 5, readedCount: 2, receiptOk: true };
  expect(applyReceipts(mine, [{ ...receipt, id: 4 }, receipt])).toEqual(
    row(5, ME, { receipt: true, readedCount: 2, receiptOk: true }),
  );
  expect(applyReceipts(mine, [{ ...receipt, id: 4 }])).toBe(mine);
  const known = withReceipt(mine, receipt);
  expect(withReceipt(known, receipt)).toBe(known);
  const recalled = { ...mine, status: 2 } as const;
  expect(withReceipt(recalled, receipt)).toBe(recalled);
  const withoutGroup = { ...mine, group: null };
  expect(withReceipt(withoutGroup, receipt)).toBe(withoutGroup);
});
