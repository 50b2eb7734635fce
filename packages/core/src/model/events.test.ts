import { ChatType, MessageStatus, MessageType } from "@parley/protocol/codes";
import { describe, expect, test } from "vitest";
import { echo, FRIEND_CHAT, groupRow, NOON, ownRow, privateRow } from "../testing/builders.ts";
import { chatsInHand, groupInput, privateInput } from "../testing/chats.ts";
import { applyEvent, noteEvent } from "./events.ts";
import { readFrame } from "./incoming.ts";
import { talkMessage } from "./rows.ts";
import type { ChatMessage, RowEvent } from "./state.ts";

const quote = (id: number, content: string) => ({ id, sendId: 2, content, type: 0, status: 1 });
const quoting = (id: number, part = {}) =>
  privateRow({ id, quoteMessage: { ...quote(5, "text 5"), ...part } });
const edit = (id: number, content: string, sendTime = NOON + id * 1_000) =>
  privateRow({ id, sendTime, type: MessageType.EDIT, content, quoteMessage: quote(5, "text 5") });
const recall = (id: number) => privateRow({ id, type: MessageType.RECALL, content: "5" });

describe("quotes", () => {
  test("M45 quotes follow an edit, in messages and echoes; a recalled quote does not", () => {
    const hand = chatsInHand();
    const gone = { content: "", status: MessageStatus.RECALL };
    hand.rows(privateRow({ id: 5 }), quoting(6), quoting(7, gone));
    const message = echo("a", { quoteMessage: quote(5, "text 5") });
    hand.apply({ kind: "echo", key: FRIEND_CHAT, message });
    hand.rows(edit(8, "better"));
    const quotes = () => hand.chat().window.messages.map((known) => known.quoteMessage?.content);
    expect(quotes()).toEqual([undefined, "better", "", "better"]);
    hand.rows(recall(9));
    expect(quotes()).toEqual([undefined, "", "", ""]);
  });

  test("M45 a quote of what is taken back stands as the server tells it afterwards", () => {
    const hand = chatsInHand();
    const told = { id: 5, sendId: 2, content: "", type: MessageType.TIP_TEXT, status: MessageStatus.RECALL };
    hand.rows(privateRow({ id: 5 }), quoting(6), recall(9));
    expect(hand.chat().window.messages[1]?.quoteMessage).toEqual(told);
    hand.rows(quoting(6, told));
    expect(hand.chat().window.messages[1]?.quoteMessage).toEqual(told);
  });

  test("M111 of a recalled quote the server's sentence is not kept: the screen writes its own", () => {
    const hand = chatsInHand();
    hand.rows(quoting(6, { content: "引用内容已撤回", status: MessageStatus.RECALL }));
    expect(hand.chat().window.messages[0]?.quoteMessage).toEqual({
      id: 5,
      sendId: 2,
      content: "",
      type: MessageType.TIP_TEXT,
      status: MessageStatus.RECALL,
    });
  });

  test("M45 the draft's quote follows an edit and goes with a recall", () => {
    const hand = chatsInHand();
    hand.rows(privateRow({ id: 5 }));
    const draftQuote = { id: 5, sendId: 2, sendNickName: "Friend", type: 0, content: "text 5" };
    hand.apply({ kind: "draft", key: FRIEND_CHAT, quote: draftQuote });
    hand.rows(edit(8, "better"));
    expect(hand.chat().draftQuote?.content).toBe("better");
    hand.rows(recall(9));
    expect(hand.chat().draftQuote).toBeNull();
  });

  test("M55 text and quote of a draft change apart, and both are kept", () => {
    const hand = chatsInHand();
    hand.rows(privateRow({ id: 5 }));
    const draftQuote = { id: 5, sendId: 2, sendNickName: "Friend", type: 0, content: "text 5" };
    hand.apply({ kind: "draft", key: FRIEND_CHAT, text: "well" });
    hand.apply({ kind: "draft", key: FRIEND_CHAT, quote: draftQuote });
    expect(hand.chat()).toMatchObject({ draft: "well", draftQuote });
    hand.apply({ kind: "draft", key: FRIEND_CHAT, text: "" });
    expect(hand.chat()).toMatchObject({ draft: "", draftQuote });
    hand.apply({ kind: "draft", key: FRIEND_CHAT, quote: null });
    expect(hand.chat().draftQuote).toBeNull();
  });
});

describe("an edit not yet sent", () => {
  const draftEdit = { id: 5, text: "half a bet" };

  test("M57 stands beside the draft, outlives another edit, and goes with a recall", () => {
    const hand = chatsInHand();
    hand.rows(privateRow({ id: 5 }));
    hand.apply({ kind: "draft", key: FRIEND_CHAT, text: "later" });
    hand.apply({ kind: "draft", key: FRIEND_CHAT, edit: draftEdit });
    expect(hand.chat()).toMatchObject({ draft: "later", draftEdit });
    hand.rows(edit(8, "better"));
    expect(hand.chat()).toMatchObject({ draft: "later", draftEdit });
    hand.rows(recall(9));
    expect(hand.chat()).toMatchObject({ draft: "later", draftEdit: null });
  });

  test("M57 goes when its message is deleted or cleared, or the chat taken from the list", () => {
    for (const gone of [
      { kind: "hide", key: FRIEND_CHAT, ids: [5] },
      { kind: "cleared", type: ChatType.PRIVATE, upTo: 5 },
      { kind: "remove", key: FRIEND_CHAT },
    ] as const) {
      const hand = chatsInHand();
      hand.rows(privateRow({ id: 5 }));
      hand.apply({ kind: "draft", key: FRIEND_CHAT, edit: draftEdit });
      hand.apply(gone);
      expect(hand.chat().draftEdit).toBeNull();
    }
  });
});

describe("copies that come late", () => {
  test("M46 a row that was under way is brought up to date", () => {
    const hand = chatsInHand();
    hand.rows(edit(8, "better"), privateRow({ id: 5 }), quoting(6));
    expect(hand.contents()).toEqual(["better", "text 6"]);
    expect(hand.chat().window.messages[1]?.quoteMessage?.content).toBe("better");
    hand.rows(recall(9));
    hand.rows(privateRow({ id: 5 }), quoting(6));
    expect(hand.chat().window.messages[0]?.status).toBe(MessageStatus.RECALL);
    expect(hand.chat().window.messages[1]?.quoteMessage?.status).toBe(MessageStatus.RECALL);
  });

  test("M60 an edit that lost its words to a recall empties nothing before the recall is told", () => {
    const hand = chatsInHand();
    hand.rows(privateRow({ id: 5 }), quoting(6), edit(8, ""));
    expect(hand.contents()).toEqual(["text 5", "text 6"]);
    expect(hand.chat().window.messages).toMatchObject([
      { isEdited: false },
      { quoteMessage: { content: "text 5" } },
    ]);
    hand.rows(recall(9));
    expect(hand.chat().window.messages[0]?.status).toBe(MessageStatus.RECALL);
  });

  test("M46 a recalled row that comes before its copy is never unread", () => {
    const hand = chatsInHand();
    hand.rows(recall(9), privateRow({ id: 5 }));
    expect(hand.chat()).toMatchObject({ unread: 0, preview: { tip: { key: "recalled" } } });
  });

  test("M23 a message that is found taken back before its recall is told counts no more, by a row or by a page", () => {
    const gone = privateRow({ id: 5, type: MessageType.TIP_TEXT, status: MessageStatus.RECALL });
    const input = privateInput(gone);
    const messages = input.kind === "row" ? [input.message] : [];
    const page = { messages, isFresh: true, from: 0, to: Infinity };
    for (const told of [input, { kind: "page", key: FRIEND_CHAT, use: "older", page } as const]) {
      const hand = chatsInHand();
      hand.rows(privateRow({ id: 5 }), privateRow({ id: 6 }));
      hand.apply(told);
      expect(hand.chat()).toMatchObject({ unread: 1, book: { unread: [6] } });
    }
  });

  test("M46 a page is brought up to date, and the disk with it", () => {
    const hand = chatsInHand();
    hand.rows(edit(8, "better"));
    const row = privateInput(quoting(6));
    const messages = row.kind === "row" ? [row.message] : [];
    const page = { messages, isFresh: false, from: 0, to: Infinity };
    const { rows } = hand.apply({ kind: "page", key: FRIEND_CHAT, use: "older", page });
    expect(rows.map(({ message }) => message.quoteMessage?.content)).toEqual(["better"]);
  });

  test("M46 of two edits the one that was stored later holds, in either order and at the same time", () => {
    for (const [first, second] of [
      [edit(8, "older", NOON), edit(9, "newer", NOON)],
      [edit(9, "newer", NOON), edit(8, "older", NOON)],
    ] as const) {
      const hand = chatsInHand();
      hand.rows(privateRow({ id: 5 }), quoting(6));
      hand.rows(first);
      hand.rows(second);
      expect(hand.contents()[0]).toBe("newer");
      expect(hand.chat().window.messages[1]?.quoteMessage?.content).toBe("newer");
    }
  });

  test("M46 the disk is told what holds, not what came", () => {
    const hand = chatsInHand();
    hand.rows(privateRow({ id: 7 }), edit(9, "newer"));
    expect(hand.rows(edit(8, "older")).missed).toMatchObject([{ event: { content: "newer" } }]);
  });

  test("M46 a chat remembers no more than 50 of them", () => {
    const hand = chatsInHand();
    for (let id = 1; id <= 60; id++)
      hand.rows(privateRow({ id: 100 + id, type: MessageType.RECALL, content: String(id) }));
    expect(hand.chat().book.events.map((event) => event.targetId)).toHaveLength(50);
    expect(hand.chat().book.events[0]?.targetId).toBe(11);
  });

  test("M47 an event of a message nobody has seen puts no chat into the list, until it comes", () => {
    const hand = chatsInHand();
    hand.rows(recall(9));
    expect(hand.state.order).toEqual([]);
    hand.rows(ownRow({ id: 10 }));
    expect(hand.state.order).toEqual([FRIEND_CHAT]);
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
    ...talkMessage(privateRow({ id: 5 }), 1),
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
    expect(applyEvent(message(), told(7))).toEqual(message(edited));
    const later = message({ editedAt: 9 });
    expect(applyEvent(later, told(7))).toBe(later);
    const same = message(edited);
    expect(applyEvent(same, told(7))).toBe(same);
    expect(applyEvent(message({ editedAt: 8 }), told(7))).toEqual(message(edited));
    expect(applyEvent(message({ content: "better" }), told(7))).toEqual(message(edited));
    expect(applyEvent(message(), told(7, { sendTime: 0 }))).toEqual(message({ ...edited, editedAt: 0 }));
    const other = message({ id: 6 });
    expect(applyEvent(other, told(7))).toBe(other);
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
    expect(applyEvent(whole, told(10))).toEqual(left);
    expect(applyEvent(whole, told(10, { by: { id: 2, name: "Friend" } }))).toEqual(left);
    const tip = { key: "recalledBy", params: { name: "Ann", nameId: 7, author: "Friend" } };
    expect(applyEvent(whole, told(10, { by: { id: 7, name: "Ann" } }))).toEqual({ ...left, tip });
    const gone = applyEvent(message(), told(10));
    expect(gone.group).toBeNull();
    expect(applyEvent(gone, told(7))).toBe(gone);
    expect(applyEvent(gone, told(10, { by: { id: 7, name: "Ann" } }))).toBe(gone);
  });

  test("M45 a quote follows, but for one that is masked, or of what was taken back, or the same already", () => {
    const quoting = (part: object) => message({ id: 6, quoteMessage: { ...quote(5, "text 5"), ...part } });
    expect(applyEvent(quoting({}), told(7)).quoteMessage).toEqual(quote(5, "better"));
    for (const part of [
      { content: "better" },
      { content: "", type: MessageType.TIP_TEXT },
      { status: MessageStatus.RECALL },
      { id: 4 },
    ]) {
      const one = quoting(part);
      expect(applyEvent(one, told(7))).toBe(one);
    }
    const gone = { id: 5, sendId: 2, content: "", type: MessageType.TIP_TEXT, status: MessageStatus.RECALL };
    expect(applyEvent(quoting({}), told(10)).quoteMessage).toEqual(gone);
    expect(applyEvent(quoting({ content: "" }), told(10)).quoteMessage).toEqual(gone);
    expect(applyEvent(quoting({ type: MessageType.TIP_TEXT }), told(10)).quoteMessage).toEqual(gone);
  });

  test("M46 of a message the last event is noted: a recall is the end, and of two alike the later one holds", () => {
    const [edit8, edit9] = [told(7, { id: 8 }), told(7, { id: 9 })];
    const [recall7, recall8] = [told(10, { id: 7 }), told(10, { id: 8 })];
    const note = (known: RowEvent, came: RowEvent) => noteEvent([known], came);
    expect(note(edit8, edit9)).toEqual({ events: [edit9], event: edit9 });
    expect(note(edit9, edit8)).toEqual({ events: [edit9], event: edit9 });
    expect(note(edit9, recall7)).toEqual({ events: [recall7], event: recall7 });
    expect(note(recall7, edit9).event).toBe(recall7);
    expect(note(recall7, recall8).event).toBe(recall8);
    const before = [edit9];
    expect(noteEvent(before, edit9).events).toBe(before);
    const other = told(7, { targetId: 4 });
    expect(noteEvent([other, edit8], edit9).events).toEqual([other, edit9]);
    expect(noteEvent([other], edit9).events).toEqual([other, edit9]);
  });

  test("M23 G37 the last line follows a recall also of a row that is not in memory, by its name in a group", () => {
    const hand = chatsInHand({ closedWindow: 0 });
    hand.apply(groupInput(groupRow({ id: 5 })));
    expect(hand.ids("GROUP:5")).toEqual([]);
    const event = told(10, { by: { id: 7, name: "Ann" } });
    hand.apply({ kind: "event", key: "GROUP:5", event: told(7) });
    expect(hand.chat("GROUP:5").preview).toMatchObject({ key: "content", text: "better" });
    hand.apply({ kind: "event", key: "GROUP:5", event: told(10, { targetId: 4 }) });
    expect(hand.chat("GROUP:5").preview?.text).toBe("better");
    hand.apply({ kind: "event", key: "GROUP:5", event });
    expect(hand.chat("GROUP:5").preview).toEqual({
      key: "content",
      text: "",
      tip: { key: "recalledBy", params: { name: "Ann", nameId: 7, author: "Friend" } },
      sendId: 2,
      sending: null,
    });
  });

  test("M45 M57 the draft's quote and edit follow events of their own message alone", () => {
    const hand = chatsInHand();
    hand.rows(privateRow({ id: 4 }), privateRow({ id: 5 }));
    const draftQuote = { id: 4, sendId: 2, sendNickName: "Friend", type: 0, content: "four" };
    const draftEdit = { id: 4, text: "x" };
    hand.apply({ kind: "draft", key: FRIEND_CHAT, quote: draftQuote, edit: draftEdit });
    hand.rows(edit(8, "better"), recall(9));
    expect(hand.chat()).toMatchObject({ draftQuote, draftEdit });
  });
});
