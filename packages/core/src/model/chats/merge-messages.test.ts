import { MessageStatus, MessageType } from "@parley/protocol/codes";
import { describe, expect, test } from "vitest";
import {
  localEcho,
  groupRequestVO,
  groupRow,
  ME,
  ownRow,
  privateRow,
  requestVO,
  systemRow,
} from "../../testing/builders.ts";
import { mergeMessages } from "./merge-messages.ts";
import { toSystemMessage, toChatMessage } from "./chat-rows.ts";
import type { ChatMessage } from "../state.ts";

const quote = { id: 4, sendId: 2, content: "four", type: 0, status: MessageStatus.SENDED };
const recalledQuote = { ...quote, content: "", type: MessageType.TIP_TEXT, status: MessageStatus.RECALL };
const row = (part: Partial<ChatMessage> = {}): ChatMessage => ({
  ...toChatMessage(privateRow({ id: 5 }), ME),
  ...part,
});
const inGroup = (part: Parameters<typeof groupRow>[0] = { id: 5 }) => toChatMessage(groupRow(part), ME);
const recalled = toChatMessage(privateRow({ id: 5, status: MessageStatus.RECALL }), ME);

describe("another copy of a message", () => {
  test("M3 merging an equal copy returns the known message", () => {
    const known = row({ quoteMessage: quote, hasTimeTip: true });
    expect(mergeMessages(known, row({ quoteMessage: { ...quote } }))).toBe(known);
    const knownInGroup = inGroup();
    expect(mergeMessages(knownInGroup, inGroup())).toBe(knownInGroup);
  });

  test.each<[keyof ChatMessage, unknown]>([
    ["id", 6],
    ["type", MessageType.IMAGE],
    ["content", "other"],
    ["status", MessageStatus.READED],
    ["sendTime", 9],
    ["sendNickName", "Other"],
    ["sending", "failed"],
    ["failure", { kind: "loggedOut" }],
    ["editedAt", 9],
    ["quoteMessage", { ...quote, type: 1 }],
    ["quoteMessage", { ...quote, content: "other" }],
    ["quoteMessage", recalledQuote],
    ["quoteMessage", null],
  ])("M1 a copy with another %s replaces the known message", (field, value) => {
    const known = row({ quoteMessage: quote });
    const incoming = row({ quoteMessage: quote, [field]: value });
    expect(mergeMessages(known, incoming)).toEqual(incoming);
  });

  test("M45 a copy whose quote differs only in its status replaces the known message", () => {
    const known = row({ quoteMessage: quote });
    const incoming = row({ quoteMessage: { ...quote, status: MessageStatus.READED } });
    expect(mergeMessages(known, incoming).quoteMessage?.status).toBe(MessageStatus.READED);
  });

  test("M2 the merged message keeps its key, time tip and tmpId, and takes the incoming tmpId if it had none", () => {
    const known = row({ key: "k", hasTimeTip: true, tmpId: "a" });
    const incoming = row({ content: "new", tmpId: "b" });
    expect(mergeMessages(known, incoming)).toEqual({ ...incoming, key: "k", hasTimeTip: true, tmpId: "a" });
    expect(mergeMessages({ ...known, tmpId: null }, incoming).tmpId).toBe("b");
  });
});

describe("a local echo", () => {
  test("M2 a local echo becomes the row, whatever its own content was", () => {
    const mine = toChatMessage(ownRow({ id: 5, tmpId: "a" }), ME);
    expect(mergeMessages(localEcho("a", { editedAt: 99, hasTimeTip: true }), mine)).toEqual({
      ...mine,
      key: "a",
      hasTimeTip: true,
    });
  });

  test("G40 a local echo takes the group fields of the row, and keeps its own if the row has none", () => {
    const group = { sendRole: 1, atUserIds: [4], receipt: true, receiptOk: false, readedCount: 9 };
    const incoming = inGroup({ id: 5, sendId: ME, tmpId: "a", sendRole: 3 });
    expect(mergeMessages(localEcho("a", { group }), incoming).group).toEqual(incoming.group);
    expect(mergeMessages(localEcho("a", { group }), { ...incoming, group: null }).group).toEqual(group);
    expect(mergeMessages(localEcho("a"), incoming).group).toEqual(incoming.group);
  });
});

describe("an old copy that arrives late", () => {
  test("M4 a recalled message stays recalled and takes no content from the copy", () => {
    expect(mergeMessages(recalled, row())).toBe(recalled);
    const again = { ...recalled, tip: { key: "recalledBy", params: {} } } as ChatMessage;
    expect(mergeMessages(recalled, { ...again, sendNickName: "New" })).toMatchObject({
      tip: again.tip,
      sendNickName: "New",
    });
  });

  test("M4 a recalled copy wins, even over a later edit", () => {
    const edited = row({ isEdited: true, editedAt: 99, quoteMessage: recalledQuote });
    expect(mergeMessages(edited, recalled)).toEqual(recalled);
  });

  test("M4 the later of two edits wins with all its content fields", () => {
    const part = { type: 1, content: "new", quoteMessage: quote, isEdited: true, editedAt: 9 };
    const known = row(part);
    expect(mergeMessages(known, row({ editedAt: 8 }))).toBe(known);
    expect(mergeMessages(known, row())).toBe(known);
    const equalTime = row({ content: "other", editedAt: 9 });
    expect(mergeMessages(known, equalTime)).toEqual(equalTime);
    const later = row({ content: "other", editedAt: 10 });
    expect(mergeMessages(known, later)).toEqual(later);
    expect(mergeMessages(known, row({ sendNickName: "New" }))).toEqual(row({ ...part, sendNickName: "New" }));
    expect(mergeMessages(row({ editedAt: 1 }), row({ content: "x" })).content).toBe("text 5");
    expect(mergeMessages(row(), row({ content: "x", editedAt: 1 })).content).toBe("x");
  });

  test("M4 the status READED stays, and a lower status does not", () => {
    const read = row({ status: MessageStatus.READED });
    expect(mergeMessages(read, row())).toBe(read);
    expect(mergeMessages(row(), read)).toEqual(read);
    expect(mergeMessages(row({ status: MessageStatus.UNSEND }), row()).status).toBe(MessageStatus.SENDED);
  });

  test("M45 a recalled quote stays, except in a message that is itself recalled", () => {
    const known = row({ quoteMessage: recalledQuote });
    expect(mergeMessages(known, row({ quoteMessage: quote }))).toBe(known);
    expect(mergeMessages(known, row())).toBe(known);
    expect(mergeMessages(row({ quoteMessage: quote }), known)).toEqual(known);
    const longer = { ...recalledQuote, content: "…" };
    expect(mergeMessages(known, row({ quoteMessage: longer })).quoteMessage).toEqual(longer);
    expect(mergeMessages(known, recalled).quoteMessage).toBeNull();
  });
});

describe("requests and readers", () => {
  const friend = (status: number) =>
    toSystemMessage(systemRow({ seqNo: 1, content: JSON.stringify(requestVO({ status })) }));
  const group = (status: number) => {
    const content = JSON.stringify(groupRequestVO({ status }));
    return toSystemMessage(systemRow({ seqNo: 1, type: MessageType.GROUP_APPLY, content }));
  };

  test.each([
    ["N3", friend],
    ["G26", group],
  ] as const)(
    "N3 G26 rule %s: an answered request stays answered, and its answer may change",
    (_rule, requestOf) => {
      const [pending, approved, rejected] = [requestOf(1), requestOf(2), requestOf(3)];
      expect(mergeMessages(approved, pending)).toBe(approved);
      expect(mergeMessages(pending, approved)).toEqual(approved);
      expect(mergeMessages(approved, rejected)).toEqual(rejected);
      expect(mergeMessages(pending, requestOf(1))).toBe(pending);
    },
  );

  test("N2 the last copy of a notice wins", () => {
    const notice = (content: string) =>
      toSystemMessage(systemRow({ seqNo: 1, type: MessageType.SYSTEM_MESSAGE, content }));
    expect(mergeMessages(notice("a"), notice("b"))).toEqual(notice("b"));
    expect(mergeMessages(friend(2), notice("b"))).toEqual(notice("b"));
  });

  test("G40 the larger read count stays, and so does all have read", () => {
    const read = (readedCount: number, receiptOk = false) =>
      inGroup({ id: 5, sendId: ME, receipt: true, readedCount, receiptOk });
    const known = read(2);
    expect(mergeMessages(known, read(1, true))).toBe(known);
    expect(mergeMessages(known, read(3)).group).toEqual(read(3).group);
    expect(mergeMessages(known, read(2, true)).group).toEqual(read(2, true).group);
    expect(mergeMessages({ ...known, group: null }, read(1)).group).toEqual(read(1).group);
    expect(mergeMessages(known, { ...read(1), group: null }).group).toEqual(known.group);
  });

  test("G40 a recalled message has no read count and no mentions", () => {
    const known = inGroup({
      id: 5,
      sendRole: 3,
      atUserIds: [4],
      receipt: true,
      receiptOk: true,
      readedCount: 3,
    });
    const noReaders = { sendRole: 3, atUserIds: [], receipt: false, receiptOk: false, readedCount: 0 };
    expect(mergeMessages(known, { ...recalled, group: null }).group).toEqual(noReaders);
    expect(mergeMessages({ ...recalled, group: known.group }, inGroup()).group).toEqual({
      ...noReaders,
      sendRole: 1,
    });
    expect(mergeMessages(recalled, row()).group).toBeNull();
  });
});
