import { Cmd, MessageStatus, MessageType } from "@parley/protocol/codes";
import type { GroupMessage } from "@parley/protocol/message";
import { describe, expect, test } from "vitest";
import { localEcho, groupRow, ME } from "../../testing/builders.ts";
import { type ChatHarness, createChatHarness, groupInput } from "../../testing/chat-harness.ts";
import { readFrame } from "../connection/read-frame.ts";
import { nextMention } from "./mentions.ts";
import { mergeMessages } from "./merge-messages.ts";
import { toChatMessage } from "./chat-rows.ts";
import type { ChatKey } from "../state.ts";
import { restoreChat, saveChat } from "./saved-chat.ts";

const GROUP: ChatKey = "GROUP:5";
const ANN = 7;
const BOB = 8;

type Part = Partial<GroupMessage> & { id: number };
const from = (sendId: number, id: number, part: Partial<GroupMessage> = {}) =>
  groupRow({ id, sendId, ...part });
const rows = (harness: ChatHarness, ...parts: Part[]) =>
  harness.dispatch(...parts.map((part) => groupInput(groupRow(part))));
const removeByModerator = (harness: ChatHarness, userId: number, upTo: number) =>
  harness.dispatch({ kind: "removeByModerator", key: GROUP, removal: { userId, upTo } });
const read = (harness: ChatHarness, upTo: number) =>
  harness.dispatch({ kind: "read", key: GROUP, side: "mine", upTo });
const mentionIds = (harness: ChatHarness) => harness.chat(GROUP).sync.mentions.map(({ id }) => id);

describe("unread messages that mention me", () => {
  function withMentions(): ChatHarness {
    const harness = createChatHarness();
    rows(
      harness,
      { id: 1 },
      { id: 2, atUserIds: [ME] },
      { id: 3, atUserIds: [-1] },
      { id: 4, atUserIds: [ME] },
    );
    return harness;
  }

  test("G38 unread mentions are recorded, the oldest first", () => {
    const harness = withMentions();
    expect(harness.chat(GROUP)).toMatchObject({ unread: 4, atMe: true, atAll: true });
    expect(mentionIds(harness)).toEqual([2, 3, 4]);
    expect(nextMention(harness.chat(GROUP))).toBe(2);
  });

  test("G38 own, read and recalled messages are no mentions, and a repeated one is recorded once", () => {
    const harness = createChatHarness();
    rows(
      harness,
      { id: 1, sendId: ME, atUserIds: [ME] },
      { id: 2, atUserIds: [ME], status: MessageStatus.READED },
      { id: 3, atUserIds: [ME], status: MessageStatus.RECALL },
      { id: 4, atUserIds: [ME] },
    );
    rows(harness, { id: 4, atUserIds: [ME] });
    expect(mentionIds(harness)).toEqual([4]);
  });

  test("G38 reading past mentions removes them", () => {
    const harness = withMentions();
    read(harness, 2);
    expect(mentionIds(harness)).toEqual([3, 4]);
    read(harness, 4);
    expect(harness.chat(GROUP)).toMatchObject({ atMe: false, atAll: false });
    expect(nextMention(harness.chat(GROUP))).toBeNull();
  });

  test("G38 recalling, deleting, clearing and a moderator's removal remove mentions; an edit keeps them", () => {
    const harness = withMentions();
    const quoteMessage = { id: 3, sendId: 2, content: "new", type: 0, status: 1 };
    rows(harness, { id: 9, type: MessageType.EDIT, content: "new", quoteMessage });
    expect(mentionIds(harness)).toEqual([2, 3, 4]);
    rows(harness, { id: 10, type: MessageType.RECALL, content: "2" });
    expect(mentionIds(harness)).toEqual([3, 4]);
    harness.dispatch({ kind: "deleteForMe", key: GROUP, ids: [4] });
    expect(harness.chat(GROUP)).toMatchObject({ atMe: false, atAll: true });
    rows(harness, { id: 11, sendId: ANN, atUserIds: [ME] });
    removeByModerator(harness, ANN, 11);
    expect(mentionIds(harness)).toEqual([3]);
    harness.dispatch({ kind: "cleared", type: "GROUP", upTo: 11 });
    expect(mentionIds(harness)).toEqual([]);
  });

  test("G38 mentions are saved and restored", () => {
    expect(restoreChat(saveChat(withMentions().chat(GROUP)))).toMatchObject({
      atMe: true,
      atAll: true,
      unread: 4,
    });
  });

  test("G38 mentions in a page are recorded", () => {
    const harness = createChatHarness({ historyStart: { PRIVATE: 0, GROUP: 9, SYSTEM: 0 } });
    rows(harness, { id: 9 });
    const messages = [toChatMessage(groupRow({ id: 4, atUserIds: [ME] }), ME)];
    harness.dispatch({
      kind: "page",
      key: GROUP,
      page: { messages, from: 0, to: 9, isFromServer: true },
      purpose: "older",
    });
    expect(mentionIds(harness)).toEqual([4]);
  });
});

describe("messages removed by a moderator", () => {
  function withTwo(): ChatHarness {
    const harness = createChatHarness();
    harness.dispatch(
      ...[from(ANN, 1), from(BOB, 2), from(ANN, 3), from(BOB, 4), from(ANN, 5)].map(groupInput),
    );
    return harness;
  }

  test("G39 rows of that person up to the id are removed from the window, the unread count and the local database", () => {
    const harness = withTwo();
    const change = removeByModerator(harness, ANN, 3);
    expect(harness.ids(GROUP)).toEqual([2, 4, 5]);
    expect(harness.chat(GROUP).sync.unread).toEqual([2, 4, 5]);
    expect(change.removals).toEqual([{ key: GROUP, byModerator: { userId: ANN, upTo: 3 } }]);
  });

  test("G39 a repeated removal does nothing; a higher id removes more", () => {
    const harness = withTwo();
    removeByModerator(harness, ANN, 3);
    expect(removeByModerator(harness, ANN, 1).removals).toEqual([]);
    expect(harness.chat(GROUP).sync.removedByModerator).toEqual([{ userId: ANN, upTo: 3 }]);
    removeByModerator(harness, ANN, 5);
    expect(harness.ids(GROUP)).toEqual([2, 4]);
    expect(harness.chat(GROUP).sync.removedByModerator).toEqual([{ userId: ANN, upTo: 5 }]);
  });

  test("G39 removed messages that are not in memory are no longer counted as unread", () => {
    const harness = createChatHarness({ closedWindow: 1 });
    harness.dispatch(...[from(ANN, 1), from(BOB, 2), from(ANN, 3), from(BOB, 4)].map(groupInput));
    expect(harness.ids(GROUP)).toEqual([4]);
    removeByModerator(harness, ANN, 3);
    expect(harness.chat(GROUP).sync.unread).toEqual([2, 4]);
  });

  test("G39 late copies stay removed, and later messages are shown", () => {
    const harness = withTwo();
    removeByModerator(harness, ANN, 5);
    const change = harness.dispatch(groupInput(from(ANN, 3)), groupInput(from(ANN, 6)));
    expect(harness.ids(GROUP)).toEqual([2, 4, 6]);
    expect(change.rejectedRows.map(({ message }) => message.id)).toEqual([3]);
    const messages = [from(ANN, 1), from(BOB, 2)].map((row) => toChatMessage(row, ME));
    harness.dispatch({
      kind: "page",
      key: GROUP,
      page: { messages, from: 0, to: 4, isFromServer: true },
      purpose: "older",
    });
    expect(harness.ids(GROUP)).toEqual([2, 4, 6]);
  });

  test("G50 a masked quote stays masked when the quoted message is edited and recalled", () => {
    const harness = createChatHarness();
    const masked = { id: 1, sendId: ANN, content: "", type: 21, status: 1 };
    harness.dispatch(groupInput(from(BOB, 6, { quoteMessage: masked })));
    const about = { targetId: 1, sendTime: 9, by: { id: ANN, name: "Ann" } };
    const edit = { ...about, id: 7, type: MessageType.EDIT, content: "new" };
    const recall = { ...about, id: 8, type: MessageType.RECALL, content: "" };
    for (const event of [edit, recall]) harness.dispatch({ kind: "event", key: GROUP, event });
    expect(harness.chat(GROUP).window.messages.at(-1)?.quoteMessage).toEqual(masked);
  });

  test("G39 quotes of removed messages are masked, the draft's quote is dropped, and the preview falls back", () => {
    const harness = withTwo();
    const quoteMessage = { id: 5, sendId: ANN, content: "text 5", type: 0, status: 1 };
    harness.dispatch(groupInput(from(BOB, 6, { quoteMessage })));
    harness.dispatch({
      kind: "draft",
      key: GROUP,
      quote: { id: 3, sendId: ANN, sendNickName: "Ann", type: 0, content: "text 3" },
    });
    const change = removeByModerator(harness, ANN, 5);
    expect(change.rows.map(({ message }) => message.id)).toEqual([6]);
    expect(harness.chat(GROUP).window.messages.at(-1)?.quoteMessage).toEqual({
      id: 5,
      sendId: ANN,
      type: 21,
      content: "",
      status: 1,
    });
    expect(harness.chat(GROUP).draftQuote).toBeNull();
    harness.dispatch(groupInput(from(BOB, 7, { quoteMessage })));
    expect(harness.chat(GROUP).window.messages.at(-1)?.quoteMessage).toEqual({
      id: 5,
      sendId: ANN,
      type: 21,
      content: "",
      status: 1,
    });
    removeByModerator(harness, BOB, 7);
    expect(harness.chat(GROUP)).toMatchObject({ preview: null, unread: 0 });
  });

  test("G39 removal also drops recorded edits of the sender and keeps unsent messages", () => {
    const harness = withTwo();
    const quoteMessage = { id: 3, sendId: ANN, content: "x", type: 0, status: 1 };
    harness.dispatch(groupInput(from(ANN, 6, { type: MessageType.EDIT, content: "secret", quoteMessage })));
    harness.dispatch({ kind: "localEcho", key: GROUP, message: localEcho("a", { sendId: ME }) });
    removeByModerator(harness, ANN, 6);
    expect(JSON.stringify(harness.chat(GROUP))).not.toContain("secret");
    removeByModerator(harness, ME, 6);
    expect(harness.texts(GROUP)).toContain("echo a");
  });

  test("G39 a removal is saved", () => {
    const harness = withTwo();
    removeByModerator(harness, ANN, 3);
    expect(restoreChat(saveChat(harness.chat(GROUP)))?.sync.removedByModerator).toEqual([
      { userId: ANN, upTo: 3 },
    ]);
  });
});

describe("rejoining a group", () => {
  const invalidate = (harness: ChatHarness) => harness.dispatch({ kind: "invalidate", key: GROUP });

  test("G51 rejoining invalidates messages and counts; unsent messages and the draft stay", () => {
    const harness = createChatHarness();
    rows(harness, { id: 1 }, { id: 2, atUserIds: [ME] });
    harness.dispatch({ kind: "localEcho", key: GROUP, message: localEcho("a") });
    harness.dispatch({ kind: "draft", key: GROUP, text: "half a" });
    const { removals } = invalidate(harness);
    expect(removals).toEqual([{ key: GROUP, upTo: Infinity }]);
    expect(harness.ids(GROUP)).toEqual([null]);
    expect(harness.chat(GROUP)).toMatchObject({
      unread: 0,
      atMe: false,
      draft: "half a",
      window: { hasOlder: true, hasNewer: false },
      sync: { knownFrom: 3, olderRanges: [], needsPreview: true },
    });
    expect(mentionIds(harness)).toEqual([]);
  });

  test("G51 a page from the server brings the messages back in their current state", () => {
    const harness = createChatHarness();
    rows(harness, { id: 1, content: "secret" }, { id: 2, atUserIds: [ME] });
    invalidate(harness);
    const serverRows = [
      groupRow({ id: 1, content: "", status: MessageStatus.RECALL }),
      groupRow({ id: 2, atUserIds: [ME] }),
    ];
    const messages = serverRows.flatMap((row) => {
      const input = groupInput(row);
      return input.kind === "row" ? [input.message] : [];
    });
    const page = { messages, isFromServer: true, from: 0, to: Infinity };
    harness.dispatch({ kind: "page", key: GROUP, purpose: "older", page });
    expect(harness.texts(GROUP)).toEqual(["", "text 2"]);
    expect(harness.chat(GROUP)).toMatchObject({
      unread: 1,
      atMe: true,
      sync: { knownFrom: 0, needsPreview: false },
    });
  });

  test("G51 a chat without messages stays as it is", () => {
    const harness = createChatHarness();
    invalidate(harness);
    expect(harness.state.byKey).toEqual({});
  });
});

describe("receipts", () => {
  test("M112 a receipt with the id of its message is no row, and is read from the content or the frame", () => {
    const receipt = { id: 1, readedCount: 2, receiptOk: true };
    const read = (data: object) =>
      readFrame({ cmd: Cmd.GROUP, data: { type: 12, sendId: 3, groupId: 5, ...data } }, ME);
    const incoming = { kind: "chat", position: null, input: { kind: "receipt", receipt } };
    expect(read({ ...receipt, content: JSON.stringify(receipt) })).toMatchObject(incoming);
    expect(read({ content: JSON.stringify(receipt) })).toMatchObject(incoming);
    expect(read(receipt)).toMatchObject(incoming);
  });

  const applyReceipt = (harness: ChatHarness, id: number, readedCount: number, receiptOk = false) =>
    harness.dispatch({ kind: "receipt", key: GROUP, receipt: { id, readedCount, receiptOk } });
  const shownCount = (harness: ChatHarness) => {
    const { readedCount, receiptOk } = harness.chat(GROUP).window.messages[0]?.group ?? {};
    return [readedCount, receiptOk];
  };

  test("G40 a receipt sets the read count of a message, and the count never falls", () => {
    const harness = createChatHarness();
    rows(harness, { id: 1, sendId: ME, receipt: true });
    expect(applyReceipt(harness, 1, 2).rows).toHaveLength(1);
    expect(shownCount(harness)).toEqual([2, false]);
    applyReceipt(harness, 1, 1, true);
    expect(shownCount(harness)).toEqual([2, false]);
    applyReceipt(harness, 1, 2, true);
    expect(shownCount(harness)).toEqual([2, true]);
    expect(applyReceipt(harness, 1, 2, false).rows).toEqual([]);
    expect(shownCount(harness)).toEqual([2, true]);
  });

  test("G40 a larger count withdraws all have read, because somebody joined who has not", () => {
    const harness = createChatHarness();
    rows(harness, { id: 1, sendId: ME, receipt: true, readedCount: 2, receiptOk: true });
    applyReceipt(harness, 1, 3, false);
    expect(shownCount(harness)).toEqual([3, false]);
  });

  test("G40 of two copies of a row, the larger read count wins in either order", () => {
    const mine = (readedCount: number) =>
      toChatMessage(groupRow({ id: 1, sendId: ME, receipt: true, readedCount }), ME);
    expect(mergeMessages(mine(1), mine(2)).group?.readedCount).toBe(2);
    const known = mine(2);
    expect(mergeMessages(known, mine(1))).toBe(known);
  });

  test("G40 a receipt of a message that is not in memory is reported for the local database", () => {
    const harness = createChatHarness();
    rows(harness, { id: 1, sendId: ME, receipt: true });
    expect(applyReceipt(harness, 9, 2).missedReceipts).toEqual([
      { key: GROUP, receipt: { id: 9, readedCount: 2, receiptOk: false } },
    ]);
    expect(applyReceipt(harness, 9, 1).missedReceipts).toEqual([]);
  });

  test("G40 a receipt that arrives before its message is applied to the later row or page, also in an unknown chat", () => {
    const input = groupInput(groupRow({ id: 1, sendId: ME, receipt: true, readedCount: 1 }));
    const messages = input.kind === "row" ? [input.message] : [];
    const page = { messages, isFromServer: true, from: 0, to: Infinity };
    for (const later of [input, { kind: "page", key: GROUP, purpose: "older", page } as const]) {
      const harness = createChatHarness();
      applyReceipt(harness, 1, 3, true);
      applyReceipt(harness, 1, 2);
      expect(harness.chat(GROUP).isRemoved).toBe(true);
      const { rows: stored } = harness.dispatch(later);
      expect(shownCount(harness)).toEqual([3, true]);
      expect(stored).toMatchObject([{ message: { group: { readedCount: 3 } } }]);
    }
  });

  test("G40 of more than 500 receipts without their messages, those of the newest messages are remembered", () => {
    const harness = createChatHarness();
    for (let id = 600; id > 0; id--) applyReceipt(harness, id, 1);
    expect(harness.chat(GROUP).sync.receipts).toHaveLength(500);
    rows(harness, { id: 600, sendId: ME, receipt: true });
    expect(shownCount(harness)).toEqual([1, false]);
  });

  test("G40 a receipt of a cleared message creates no chat", () => {
    const harness = createChatHarness();
    const receipt = { id: 9, readedCount: 2, receiptOk: false };
    harness.dispatch({ kind: "cleared", type: "GROUP", upTo: 9 }, { kind: "receipt", key: GROUP, receipt });
    expect(harness.state.byKey).toEqual({});
  });

  test("G40 a recalled message has no read count and no mentions, in any order of message and recall", () => {
    const mine = groupRow({ id: 1, sendId: ME, receipt: true, readedCount: 1, atUserIds: [ANN] });
    const recalled = groupRow({
      id: 1,
      sendId: ME,
      type: MessageType.TIP_TEXT,
      status: MessageStatus.RECALL,
    });
    const recall = groupRow({ id: 2, sendId: ME, type: MessageType.RECALL, content: "1" });
    for (const order of [
      [mine, recall],
      [mine, recalled],
      [recalled, mine],
    ]) {
      const harness = createChatHarness();
      for (const row of order) rows(harness, row);
      applyReceipt(harness, 1, 2);
      expect(harness.chat(GROUP).window.messages[0]?.group).toMatchObject({
        receipt: false,
        readedCount: 0,
        atUserIds: [],
      });
    }
  });

  test("G40 a local echo takes over the server's group fields", () => {
    const group = { sendRole: 1, atUserIds: [], receipt: true, receiptOk: false, readedCount: 0 };
    const row = toChatMessage(groupRow({ id: 1, sendId: ME, tmpId: "a", receipt: true, sendRole: 3 }), ME);
    expect(mergeMessages(localEcho("a", { group }), row).group?.sendRole).toBe(3);
  });
});
