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
  test("M45 quotes follow an edit, in messages and echoes; a recalled quote does not", () => {
    const harness = createChatHarness();
    const gone = { content: "", status: MessageStatus.RECALL };
    harness.rows(privateRow({ id: 5 }), quoting(6), quoting(7, gone));
    const message = localEcho("a", { quoteMessage: quote(5, "text 5") });
    harness.dispatch({ kind: "localEcho", key: FRIEND_CHAT, message });
    harness.rows(edit(8, "better"));
    const quotes = () => harness.chat().window.messages.map((known) => known.quoteMessage?.content);
    expect(quotes()).toEqual([undefined, "better", "", "better"]);
    harness.rows(recall(9));
    expect(quotes()).toEqual([undefined, "", "", ""]);
  });

  test("M45 a quote of what is taken back stands as the server tells it afterwards", () => {
    const harness = createChatHarness();
    const told = { id: 5, sendId: 2, content: "", type: MessageType.TIP_TEXT, status: MessageStatus.RECALL };
    harness.rows(privateRow({ id: 5 }), quoting(6), recall(9));
    expect(harness.chat().window.messages[1]?.quoteMessage).toEqual(told);
    harness.rows(quoting(6, told));
    expect(harness.chat().window.messages[1]?.quoteMessage).toEqual(told);
  });

  test("M111 of a recalled quote the server's sentence is not kept: the screen writes its own", () => {
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

  test("M45 the draft's quote follows an edit and goes with a recall", () => {
    const harness = createChatHarness();
    harness.rows(privateRow({ id: 5 }));
    const draftQuote = { id: 5, sendId: 2, sendNickName: "Friend", type: 0, content: "text 5" };
    harness.dispatch({ kind: "draft", key: FRIEND_CHAT, quote: draftQuote });
    harness.rows(edit(8, "better"));
    expect(harness.chat().draftQuote?.content).toBe("better");
    harness.rows(recall(9));
    expect(harness.chat().draftQuote).toBeNull();
  });

  test("M55 text and quote of a draft change apart, and both are kept", () => {
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

describe("an edit not yet sent", () => {
  const draftEdit = { id: 5, text: "half a bet" };

  test("M57 stands beside the draft, outlives another edit, and goes with a recall", () => {
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

  test("M57 goes when its message is deleted or cleared, or the chat taken from the list", () => {
    for (const gone of [
      { kind: "deleteForMe", key: FRIEND_CHAT, ids: [5] },
      { kind: "cleared", type: ChatType.PRIVATE, upTo: 5 },
      { kind: "remove", key: FRIEND_CHAT },
    ] as const) {
      const harness = createChatHarness();
      harness.rows(privateRow({ id: 5 }));
      harness.dispatch({ kind: "draft", key: FRIEND_CHAT, edit: draftEdit });
      harness.dispatch(gone);
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

  test("M46 a recalled row that comes before its copy is never unread", () => {
    const harness = createChatHarness();
    harness.rows(recall(9), privateRow({ id: 5 }));
    expect(harness.chat()).toMatchObject({ unread: 0, preview: { tip: { key: "recalled" } } });
  });

  test("M23 a message that is found taken back before its recall is told counts no more, by a row or by a page", () => {
    const gone = privateRow({ id: 5, type: MessageType.TIP_TEXT, status: MessageStatus.RECALL });
    const input = privateInput(gone);
    const messages = input.kind === "row" ? [input.message] : [];
    const page = { messages, isFromServer: true, from: 0, to: Infinity };
    for (const told of [input, { kind: "page", key: FRIEND_CHAT, use: "older", page } as const]) {
      const harness = createChatHarness();
      harness.rows(privateRow({ id: 5 }), privateRow({ id: 6 }));
      harness.dispatch(told);
      expect(harness.chat()).toMatchObject({ unread: 1, sync: { unread: [6] } });
    }
  });

  test("M46 later edits and recalls are applied to a page and saved", () => {
    const harness = createChatHarness();
    harness.rows(edit(8, "better"));
    const row = privateInput(quoting(6));
    const messages = row.kind === "row" ? [row.message] : [];
    const page = { messages, isFromServer: false, from: 0, to: Infinity };
    const { rows } = harness.dispatch({ kind: "page", key: FRIEND_CHAT, use: "older", page });
    expect(rows.map(({ message }) => message.quoteMessage?.content)).toEqual(["better"]);
  });

  test("M46 of two edits the one that was stored later holds, in either order and at the same time", () => {
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

  test("M46 the database gets the event that holds, not the one that arrived", () => {
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

  test("M47 an event for an unknown message does not list a chat until the message arrives", () => {
    const harness = createChatHarness();
    harness.rows(recall(9));
    expect(harness.state.order).toEqual([]);
    harness.rows(ownRow({ id: 10 }));
    expect(harness.state.order).toEqual([FRIEND_CHAT]);
  });
});

test("M56 a receipt tells its position in the content when it names none beside", () => {
  const receipt = (part: object) =>
    readFrame({ cmd: 3, data: { type: MessageType.RECEIPT, sendId: 2, recvId: 1, ...part } }, 1);
  expect(receipt({ content: '{"id": 7}' })).toMatchObject({ input: { side: "theirs", upTo: 7 } });
  expect(receipt({ content: '{"id": 7}', maxId: 6 })).toMatchObject({ input: { upTo: 6 } });
  expect(receipt({})).toMatchObject({ input: { upTo: null } });
});

describe("one event on one message", () => {
  const message = (part: Partial<ChatMessage> = {}): ChatMessage => ({
    ...toChatMessage(privateRow({ id: 5 }), 1),
    ...part,
  });
  const told = (type: 7 | 10, part: Partial<RowEvent> = {}): RowEvent => ({
    id: 9,
    type,
    targetId: 5,
    content: type === 7 ? "better" : "",
    sendTime: 8,
    by: null,
    ...part,
  });

  test("M22 an edit changes text and mark, unless a later one did, or this very one", () => {
    const edited = { content: "better", isEdited: true, editedAt: 8 };
    expect(applyRowEvent(message(), told(7))).toEqual(message(edited));
    const later = message({ editedAt: 9 });
    expect(applyRowEvent(later, told(7))).toBe(later);
    const same = message(edited);
    expect(applyRowEvent(same, told(7))).toBe(same);
    expect(applyRowEvent(message({ editedAt: 8 }), told(7))).toEqual(message(edited));
    expect(applyRowEvent(message({ content: "better" }), told(7))).toEqual(message(edited));
    expect(applyRowEvent(message(), told(7, { sendTime: 0 }))).toEqual(message({ ...edited, editedAt: 0 }));
    const other = message({ id: 6 });
    expect(applyRowEvent(other, told(7))).toBe(other);
  });

  test("M23 G37 a recall leaves a sentence: of the sender, or of who took it back", () => {
    const group = { sendRole: 2, atUserIds: [1], receipt: true, receiptOk: true, readedCount: 3 };
    const whole = message({
      quoteMessage: quote(4, "four"),
      isEdited: true,
      editedAt: 7,
      act: { result: "ended", seconds: 1 },
      group,
    });
    const left = message({
      type: MessageType.TIP_TEXT,
      content: "",
      status: MessageStatus.RECALL,
      tip: { key: "recalled", params: { name: "Friend" } },
      group: { sendRole: 2, atUserIds: [], receipt: false, receiptOk: false, readedCount: 0 },
    });
    expect(applyRowEvent(whole, told(10))).toEqual(left);
    expect(applyRowEvent(whole, told(10, { by: { id: 2, name: "Friend" } }))).toEqual(left);
    const tip = { key: "recalledBy", params: { name: "Ann", nameId: 7, author: "Friend" } };
    expect(applyRowEvent(whole, told(10, { by: { id: 7, name: "Ann" } }))).toEqual({ ...left, tip });
    const gone = applyRowEvent(message(), told(10));
    expect(gone.group).toBeNull();
    expect(applyRowEvent(gone, told(7))).toBe(gone);
    expect(applyRowEvent(gone, told(10, { by: { id: 7, name: "Ann" } }))).toBe(gone);
  });

  test("M45 a quote follows, but for one that is masked, or of what was taken back, or the same already", () => {
    const quoting = (part: object) => message({ id: 6, quoteMessage: { ...quote(5, "text 5"), ...part } });
    expect(applyRowEvent(quoting({}), told(7)).quoteMessage).toEqual(quote(5, "better"));
    for (const part of [
      { content: "better" },
      { content: "", type: MessageType.TIP_TEXT },
      { status: MessageStatus.RECALL },
      { id: 4 },
    ]) {
      const one = quoting(part);
      expect(applyRowEvent(one, told(7))).toBe(one);
    }
    const gone = { id: 5, sendId: 2, content: "", type: MessageType.TIP_TEXT, status: MessageStatus.RECALL };
    expect(applyRowEvent(quoting({}), told(10)).quoteMessage).toEqual(gone);
    expect(applyRowEvent(quoting({ content: "" }), told(10)).quoteMessage).toEqual(gone);
    expect(applyRowEvent(quoting({ type: MessageType.TIP_TEXT }), told(10)).quoteMessage).toEqual(gone);
  });

  test("M46 of a message the last event is noted: a recall is the end, and of two alike the later one holds", () => {
    const [edit8, edit9] = [told(7, { id: 8 }), told(7, { id: 9 })];
    const [recall7, recall8] = [told(10, { id: 7 }), told(10, { id: 8 })];
    const note = (known: RowEvent, came: RowEvent) => recordRowEvent([known], came);
    expect(note(edit8, edit9)).toEqual({ events: [edit9], event: edit9 });
    expect(note(edit9, edit8)).toEqual({ events: [edit9], event: edit9 });
    expect(note(edit9, recall7)).toEqual({ events: [recall7], event: recall7 });
    expect(note(recall7, edit9).event).toBe(recall7);
    expect(note(recall7, recall8).event).toBe(recall8);
    const before = [edit9];
    expect(recordRowEvent(before, edit9).events).toBe(before);
    const other = told(7, { targetId: 4 });
    expect(recordRowEvent([other, edit8], edit9).events).toEqual([other, edit9]);
    expect(recordRowEvent([other], edit9).events).toEqual([other, edit9]);
  });

  test("M23 G37 the last line follows a recall also of a row that is not in memory, by its name in a group", () => {
    const harness = createChatHarness({ closedWindow: 0 });
    harness.dispatch(groupInput(groupRow({ id: 5 })));
    expect(harness.ids("GROUP:5")).toEqual([]);
    const event = told(10, { by: { id: 7, name: "Ann" } });
    harness.dispatch({ kind: "event", key: "GROUP:5", event: told(7) });
    expect(harness.chat("GROUP:5").preview).toMatchObject({ key: "content", text: "better" });
    harness.dispatch({ kind: "event", key: "GROUP:5", event: told(10, { targetId: 4 }) });
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

  test("M45 M57 the draft's quote and edit follow events of their own message alone", () => {
    const harness = createChatHarness();
    harness.rows(privateRow({ id: 4 }), privateRow({ id: 5 }));
    const draftQuote = { id: 4, sendId: 2, sendNickName: "Friend", type: 0, content: "four" };
    const draftEdit = { id: 4, text: "x" };
    harness.dispatch({ kind: "draft", key: FRIEND_CHAT, quote: draftQuote, edit: draftEdit });
    harness.rows(edit(8, "better"), recall(9));
    expect(harness.chat()).toMatchObject({ draftQuote, draftEdit });
  });
});
