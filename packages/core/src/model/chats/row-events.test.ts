import { ChatType, MessageStatus, MessageType } from "@parley/protocol/codes";
import { describe, expect, test } from "vitest";
import { localEcho, FRIEND_CHAT, groupRow, NOON, ownRow, privateRow } from "../../testing/builders.ts";
import { createChatHarness, groupInput, privateInput } from "../../testing/chat-harness.ts";
import { applyRowEvent, recordRowEvent } from "./row-events.ts";
import { readFrame } from "../connection/read-frame.ts";
import { toChatMessage } from "./chat-rows.ts";
import type { ChatMessage, RowEvent } from "../state.ts";

const quote = (id: number, content: string) => ({ id, sendId: 2, content, type: 0, status: 1 });
const quoting = (id: number, part = {}) =>
  privateRow({ id, quoteMessage: { ...quote(5, "text 5"), ...part } });
const edit = (id: number, content: string, sendTime = NOON + id * 1_000) =>
  privateRow({ id, sendTime, type: MessageType.EDIT, content, quoteMessage: quote(5, "text 5") });
const recall = (id: number) => privateRow({ id, type: MessageType.RECALL, content: "5" });

describe("quotes", () => {
  test("M45 quotes in messages and local echoes follow an edit, and a recalled quote does not", () => {
    const harness = createChatHarness();
    const recalled = { content: "", status: MessageStatus.RECALL };
    harness.rows(privateRow({ id: 5 }), quoting(6), quoting(7, recalled));
    const message = localEcho("a", { quoteMessage: quote(5, "text 5") });
    harness.dispatch({ kind: "localEcho", key: FRIEND_CHAT, message });
    harness.rows(edit(8, "better"));
    const quotes = () => harness.chat().window.messages.map((known) => known.quoteMessage?.content);
    expect(quotes()).toEqual([undefined, "better", "", "better"]);
    harness.rows(recall(9));
    expect(quotes()).toEqual([undefined, "", "", ""]);
  });

  test("M45 after a recall, a quote looks like the one that the server sends afterwards", () => {
    const harness = createChatHarness();
    const recalled = {
      id: 5,
      sendId: 2,
      content: "",
      type: MessageType.TIP_TEXT,
      status: MessageStatus.RECALL,
    };
    harness.rows(privateRow({ id: 5 }), quoting(6), recall(9));
    expect(harness.chat().window.messages[1]?.quoteMessage).toEqual(recalled);
    harness.rows(quoting(6, recalled));
    expect(harness.chat().window.messages[1]?.quoteMessage).toEqual(recalled);
  });

  test("M111 the server's text of a recalled quote is dropped, because the screen writes its own", () => {
    const harness = createChatHarness();
    harness.rows(quoting(6, { content: "引用内容已撤回", status: MessageStatus.RECALL }));
    expect(harness.chat().window.messages[0]?.quoteMessage).toEqual({
      id: 5,
      sendId: 2,
      content: "",
      type: MessageType.TIP_TEXT,
      status: MessageStatus.RECALL,
    });
  });

  test("M45 the draft's quote follows an edit and is dropped by a recall", () => {
    const harness = createChatHarness();
    harness.rows(privateRow({ id: 5 }));
    const draftQuote = { id: 5, sendId: 2, sendNickName: "Friend", type: 0, content: "text 5" };
    harness.dispatch({ kind: "draft", key: FRIEND_CHAT, quote: draftQuote });
    harness.rows(edit(8, "better"));
    expect(harness.chat().draftQuote?.content).toBe("better");
    harness.rows(recall(9));
    expect(harness.chat().draftQuote).toBeNull();
  });

  test("M55 text and quote of a draft change independently", () => {
    const harness = createChatHarness();
    harness.rows(privateRow({ id: 5 }));
    const draftQuote = { id: 5, sendId: 2, sendNickName: "Friend", type: 0, content: "text 5" };
    harness.dispatch({ kind: "draft", key: FRIEND_CHAT, text: "well" });
    harness.dispatch({ kind: "draft", key: FRIEND_CHAT, quote: draftQuote });
    expect(harness.chat()).toMatchObject({ draft: "well", draftQuote });
    harness.dispatch({ kind: "draft", key: FRIEND_CHAT, text: "" });
    expect(harness.chat()).toMatchObject({ draft: "", draftQuote });
    harness.dispatch({ kind: "draft", key: FRIEND_CHAT, quote: null });
    expect(harness.chat().draftQuote).toBeNull();
  });
});

describe("an unsent edit", () => {
  const draftEdit = { id: 5, text: "half a bet" };

  test("M57 an unsent edit is kept beside the draft and through another edit, and dropped by a recall", () => {
    const harness = createChatHarness();
    harness.rows(privateRow({ id: 5 }));
    harness.dispatch({ kind: "draft", key: FRIEND_CHAT, text: "later" });
    harness.dispatch({ kind: "draft", key: FRIEND_CHAT, edit: draftEdit });
    expect(harness.chat()).toMatchObject({ draft: "later", draftEdit });
    harness.rows(edit(8, "better"));
    expect(harness.chat()).toMatchObject({ draft: "later", draftEdit });
    harness.rows(recall(9));
    expect(harness.chat()).toMatchObject({ draft: "later", draftEdit: null });
  });

  test("M57 an unsent edit is dropped when its message is deleted or cleared, or the chat is removed", () => {
    for (const removal of [
      { kind: "deleteForMe", key: FRIEND_CHAT, ids: [5] },
      { kind: "cleared", type: ChatType.PRIVATE, upTo: 5 },
      { kind: "remove", key: FRIEND_CHAT },
    ] as const) {
      const harness = createChatHarness();
      harness.rows(privateRow({ id: 5 }));
      harness.dispatch({ kind: "draft", key: FRIEND_CHAT, edit: draftEdit });
      harness.dispatch(removal);
      expect(harness.chat().draftEdit).toBeNull();
    }
  });
});

describe("late copies", () => {
  test("M46 later edits and recalls are applied to a late row", () => {
    const harness = createChatHarness();
    harness.rows(edit(8, "better"), privateRow({ id: 5 }), quoting(6));
    expect(harness.texts()).toEqual(["better", "text 6"]);
    expect(harness.chat().window.messages[1]?.quoteMessage?.content).toBe("better");
    harness.rows(recall(9));
    harness.rows(privateRow({ id: 5 }), quoting(6));
    expect(harness.chat().window.messages[0]?.status).toBe(MessageStatus.RECALL);
    expect(harness.chat().window.messages[1]?.quoteMessage?.status).toBe(MessageStatus.RECALL);
  });

  test("M60 an edit without content does not empty the message before its recall arrives", () => {
    const harness = createChatHarness();
    harness.rows(privateRow({ id: 5 }), quoting(6), edit(8, ""));
    expect(harness.texts()).toEqual(["text 5", "text 6"]);
    expect(harness.chat().window.messages).toMatchObject([
      { isEdited: false },
      { quoteMessage: { content: "text 5" } },
    ]);
    harness.rows(recall(9));
    expect(harness.chat().window.messages[0]?.status).toBe(MessageStatus.RECALL);
  });

  test("M46 a row that arrives after its recall is never unread", () => {
    const harness = createChatHarness();
    harness.rows(recall(9), privateRow({ id: 5 }));
    expect(harness.chat()).toMatchObject({ unread: 0, preview: { tip: { key: "recalled" } } });
  });

  test("M23 a row or page with a recalled message lowers the unread count before the recall itself arrives", () => {
    const recalled = privateRow({ id: 5, type: MessageType.TIP_TEXT, status: MessageStatus.RECALL });
    const input = privateInput(recalled);
    const messages = input.kind === "row" ? [input.message] : [];
    const page = { messages, isFromServer: true, from: 0, to: Infinity };
    for (const arrival of [input, { kind: "page", key: FRIEND_CHAT, purpose: "older", page } as const]) {
      const harness = createChatHarness();
      harness.rows(privateRow({ id: 5 }), privateRow({ id: 6 }));
      harness.dispatch(arrival);
      expect(harness.chat()).toMatchObject({ unread: 1, sync: { unread: [6] } });
    }
  });

  test("M46 later edits and recalls are applied to a page and saved", () => {
    const harness = createChatHarness();
    harness.rows(edit(8, "better"));
    const row = privateInput(quoting(6));
    const messages = row.kind === "row" ? [row.message] : [];
    const page = { messages, isFromServer: false, from: 0, to: Infinity };
    const { rows } = harness.dispatch({ kind: "page", key: FRIEND_CHAT, purpose: "older", page });
    expect(rows.map(({ message }) => message.quoteMessage?.content)).toEqual(["better"]);
  });

  test("M46 of two edits the one stored later counts, in either order and with equal times", () => {
    for (const [first, second] of [
      [edit(8, "older", NOON), edit(9, "newer", NOON)],
      [edit(9, "newer", NOON), edit(8, "older", NOON)],
    ] as const) {
      const harness = createChatHarness();
      harness.rows(privateRow({ id: 5 }), quoting(6));
      harness.rows(first);
      harness.rows(second);
      expect(harness.texts()[0]).toBe("newer");
      expect(harness.chat().window.messages[1]?.quoteMessage?.content).toBe("newer");
    }
  });

  test("M46 the local database gets the event that counts, not the one that arrived", () => {
    const harness = createChatHarness();
    harness.rows(privateRow({ id: 7 }), edit(9, "newer"));
    expect(harness.rows(edit(8, "older")).missedEvents).toMatchObject([{ event: { content: "newer" } }]);
  });

  test("M46 a chat keeps at most 50 events", () => {
    const harness = createChatHarness();
    for (let id = 1; id <= 60; id++)
      harness.rows(privateRow({ id: 100 + id, type: MessageType.RECALL, content: String(id) }));
    expect(harness.chat().sync.events.map((event) => event.targetId)).toHaveLength(50);
    expect(harness.chat().sync.events[0]?.targetId).toBe(11);
  });

  test("M47 an event of an unknown message does not list its chat until a message arrives", () => {
    const harness = createChatHarness();
    harness.rows(recall(9));
    expect(harness.state.order).toEqual([]);
    harness.rows(ownRow({ id: 10 }));
    expect(harness.state.order).toEqual([FRIEND_CHAT]);
  });
});

test("M56 the position of a receipt is read from the content if the frame has none", () => {
  const receipt = (part: object) =>
    readFrame({ cmd: 3, data: { type: MessageType.RECEIPT, sendId: 2, recvId: 1, ...part } }, 1);
  expect(receipt({ content: '{"id": 7}' })).toMatchObject({ input: { side: "theirs", upTo: 7 } });
  expect(receipt({ content: '{"id": 7}', maxId: 6 })).toMatchObject({ input: { upTo: 6 } });
  expect(receipt({})).toMatchObject({ input: { upTo: null } });
});

describe("one event and one message", () => {
  const message = (part: Partial<ChatMessage> = {}): ChatMessage => ({
    ...toChatMessage(privateRow({ id: 5 }), 1),
    ...part,
  });
  const eventOf = (type: 7 | 10, part: Partial<RowEvent> = {}): RowEvent => ({
    id: 9,
    type,
    targetId: 5,
    content: type === 7 ? "better" : "",
    sendTime: 8,
    by: null,
    ...part,
  });

  test("M22 an edit changes content and edit mark unless the message has this or a later edit", () => {
    const edited = { content: "better", isEdited: true, editedAt: 8 };
    expect(applyRowEvent(message(), eventOf(7))).toEqual(message(edited));
    const later = message({ editedAt: 9 });
    expect(applyRowEvent(later, eventOf(7))).toBe(later);
    const same = message(edited);
    expect(applyRowEvent(same, eventOf(7))).toBe(same);
    expect(applyRowEvent(message({ editedAt: 8 }), eventOf(7))).toEqual(message(edited));
    expect(applyRowEvent(message({ content: "better" }), eventOf(7))).toEqual(message(edited));
    expect(applyRowEvent(message(), eventOf(7, { sendTime: 0 }))).toEqual(
      message({ ...edited, editedAt: 0 }),
    );
    const other = message({ id: 6 });
    expect(applyRowEvent(other, eventOf(7))).toBe(other);
  });

  test("M23 G37 a recall leaves a tip with the name of the sender, or of the admin who recalled it", () => {
    const group = { sendRole: 2, atUserIds: [1], receipt: true, receiptOk: true, readedCount: 3 };
    const whole = message({
      quoteMessage: quote(4, "four"),
      isEdited: true,
      editedAt: 7,
      act: { result: "ended", seconds: 1 },
      group,
    });
    const recalled = message({
      type: MessageType.TIP_TEXT,
      content: "",
      status: MessageStatus.RECALL,
      tip: { key: "recalled", params: { name: "Friend" } },
      group: { sendRole: 2, atUserIds: [], receipt: false, receiptOk: false, readedCount: 0 },
    });
    expect(applyRowEvent(whole, eventOf(10))).toEqual(recalled);
    expect(applyRowEvent(whole, eventOf(10, { by: { id: 2, name: "Friend" } }))).toEqual(recalled);
    const tip = { key: "recalledBy", params: { name: "Ann", nameId: 7, author: "Friend" } };
    expect(applyRowEvent(whole, eventOf(10, { by: { id: 7, name: "Ann" } }))).toEqual({ ...recalled, tip });
    const withoutGroup = applyRowEvent(message(), eventOf(10));
    expect(withoutGroup.group).toBeNull();
    expect(applyRowEvent(withoutGroup, eventOf(7))).toBe(withoutGroup);
    expect(applyRowEvent(withoutGroup, eventOf(10, { by: { id: 7, name: "Ann" } }))).toBe(withoutGroup);
  });

  test("M45 a quote follows an edit unless it is masked, recalled, equal or of another message", () => {
    const quoting = (part: object) => message({ id: 6, quoteMessage: { ...quote(5, "text 5"), ...part } });
    expect(applyRowEvent(quoting({}), eventOf(7)).quoteMessage).toEqual(quote(5, "better"));
    for (const part of [
      { content: "better" },
      { content: "", type: MessageType.TIP_TEXT },
      { status: MessageStatus.RECALL },
      { id: 4 },
    ]) {
      const unchanged = quoting(part);
      expect(applyRowEvent(unchanged, eventOf(7))).toBe(unchanged);
    }
    const recalled = {
      id: 5,
      sendId: 2,
      content: "",
      type: MessageType.TIP_TEXT,
      status: MessageStatus.RECALL,
    };
    expect(applyRowEvent(quoting({}), eventOf(10)).quoteMessage).toEqual(recalled);
    expect(applyRowEvent(quoting({ content: "" }), eventOf(10)).quoteMessage).toEqual(recalled);
    expect(applyRowEvent(quoting({ type: MessageType.TIP_TEXT }), eventOf(10)).quoteMessage).toEqual(
      recalled,
    );
  });

  test("M46 the last event of a message is recorded: a recall counts over edits, else the one stored later", () => {
    const [edit8, edit9] = [eventOf(7, { id: 8 }), eventOf(7, { id: 9 })];
    const [recall7, recall8] = [eventOf(10, { id: 7 }), eventOf(10, { id: 8 })];
    const record = (known: RowEvent, incoming: RowEvent) => recordRowEvent([known], incoming);
    expect(record(edit8, edit9)).toEqual({ events: [edit9], event: edit9 });
    expect(record(edit9, edit8)).toEqual({ events: [edit9], event: edit9 });
    expect(record(edit9, recall7)).toEqual({ events: [recall7], event: recall7 });
    expect(record(recall7, edit9).event).toBe(recall7);
    expect(record(recall7, recall8).event).toBe(recall8);
    const before = [edit9];
    expect(recordRowEvent(before, edit9).events).toBe(before);
    const other = eventOf(7, { targetId: 4 });
    expect(recordRowEvent([other, edit8], edit9).events).toEqual([other, edit9]);
    expect(recordRowEvent([other], edit9).events).toEqual([other, edit9]);
  });

  test("M23 G37 the preview shows a recall of a row that is not in memory, in a group with the admin's name", () => {
    const harness = createChatHarness({ closedWindow: 0 });
    harness.dispatch(groupInput(groupRow({ id: 5 })));
    expect(harness.ids("GROUP:5")).toEqual([]);
    const event = eventOf(10, { by: { id: 7, name: "Ann" } });
    harness.dispatch({ kind: "event", key: "GROUP:5", event: eventOf(7) });
    expect(harness.chat("GROUP:5").preview).toMatchObject({ key: "content", text: "better" });
    harness.dispatch({ kind: "event", key: "GROUP:5", event: eventOf(10, { targetId: 4 }) });
    expect(harness.chat("GROUP:5").preview?.text).toBe("better");
    harness.dispatch({ kind: "event", key: "GROUP:5", event });
    expect(harness.chat("GROUP:5").preview).toEqual({
      key: "content",
      text: "",
      tip: { key: "recalledBy", params: { name: "Ann", nameId: 7, author: "Friend" } },
      sendId: 2,
      sending: null,
    });
  });

  test("M45 M57 the draft's quote and edit follow only events of their own message", () => {
    const harness = createChatHarness();
    harness.rows(privateRow({ id: 4 }), privateRow({ id: 5 }));
    const draftQuote = { id: 4, sendId: 2, sendNickName: "Friend", type: 0, content: "four" };
    const draftEdit = { id: 4, text: "x" };
    harness.dispatch({ kind: "draft", key: FRIEND_CHAT, quote: draftQuote, edit: draftEdit });
    harness.rows(edit(8, "better"), recall(9));
    expect(harness.chat()).toMatchObject({ draftQuote, draftEdit });
  });
});
