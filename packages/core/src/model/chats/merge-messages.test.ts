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
const goneQuote = { ...quote, content: "", type: MessageType.TIP_TEXT, status: MessageStatus.RECALL };
const row = (part: Partial<ChatMessage> = {}): ChatMessage => ({
  ...toChatMessage(privateRow({ id: 5 }), ME),
  ...part,
});
const inGroup = (part: Parameters<typeof groupRow>[0] = { id: 5 }) => toChatMessage(groupRow(part), ME);
const recalled = toChatMessage(privateRow({ id: 5, status: MessageStatus.RECALL }), ME);

describe("the same message again", () => {
  test("M3 is the one that is known", () => {
    const known = row({ quoteMessage: quote, hasTimeTip: true });
    expect(mergeMessages(known, row({ quoteMessage: { ...quote } }))).toBe(known);
    const known2 = inGroup();
    expect(mergeMessages(known2, inGroup())).toBe(known2);
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
    ["quoteMessage", goneQuote],
    ["quoteMessage", null],
  ])("M1 with another %s is not", (field, value) => {
    const known = row({ quoteMessage: quote });
    const came = row({ quoteMessage: quote, [field]: value });
    expect(mergeMessages(known, came)).toEqual(came);
  });

  test("M45 a quote whose state alone differs is another one", () => {
    const known = row({ quoteMessage: quote });
    const came = row({ quoteMessage: { ...quote, status: MessageStatus.READED } });
    expect(mergeMessages(known, came).quoteMessage?.status).toBe(MessageStatus.READED);
  });

  test("M2 keeps its key, its tip, and its tmpId, or takes the one that comes", () => {
    const known = row({ key: "k", hasTimeTip: true, tmpId: "a" });
    const came = row({ content: "new", tmpId: "b" });
    expect(mergeMessages(known, came)).toEqual({ ...came, key: "k", hasTimeTip: true, tmpId: "a" });
    expect(mergeMessages({ ...known, tmpId: null }, came).tmpId).toBe("b");
  });
});

describe("the echo", () => {
  test("M2 becomes the row, whatever it looked like", () => {
    const mine = toChatMessage(ownRow({ id: 5, tmpId: "a" }), ME);
    expect(mergeMessages(localEcho("a", { editedAt: 99, hasTimeTip: true }), mine)).toEqual({
      ...mine,
      key: "a",
      hasTimeTip: true,
    });
  });

  test("G40 in a group takes who has read it from the row, and keeps its own until then", () => {
    const group = { sendRole: 1, atUserIds: [4], receipt: true, receiptOk: false, readedCount: 9 };
    const came = inGroup({ id: 5, sendId: ME, tmpId: "a", sendRole: 3 });
    expect(mergeMessages(localEcho("a", { group }), came).group).toEqual(came.group);
    expect(mergeMessages(localEcho("a", { group }), { ...came, group: null }).group).toEqual(group);
    expect(mergeMessages(localEcho("a"), came).group).toEqual(came.group);
  });
});

describe("what stays when an old copy comes", () => {
  test("M4 what was taken back, and with it nothing comes of the copy", () => {
    expect(mergeMessages(recalled, row())).toBe(recalled);
    const again = { ...recalled, tip: { key: "recalledBy", params: {} } } as ChatMessage;
    expect(mergeMessages(recalled, { ...again, sendNickName: "New" })).toMatchObject({
      tip: again.tip,
      sendNickName: "New",
    });
  });

  test("M4 what is taken back now goes, also when the known copy was edited later", () => {
    const edited = row({ isEdited: true, editedAt: 99, quoteMessage: goneQuote });
    expect(mergeMessages(edited, recalled)).toEqual(recalled);
  });

  test("M4 the later of two edits, with all that belongs to it", () => {
    const part = { type: 1, content: "new", quoteMessage: quote, isEdited: true, editedAt: 9 };
    const known = row(part);
    expect(mergeMessages(known, row({ editedAt: 8 }))).toBe(known);
    expect(mergeMessages(known, row())).toBe(known);
    const same = row({ content: "other", editedAt: 9 });
    expect(mergeMessages(known, same)).toEqual(same);
    const later = row({ content: "other", editedAt: 10 });
    expect(mergeMessages(known, later)).toEqual(later);
    expect(mergeMessages(known, row({ sendNickName: "New" }))).toEqual(row({ ...part, sendNickName: "New" }));
    expect(mergeMessages(row({ editedAt: 1 }), row({ content: "x" })).content).toBe("text 5");
    expect(mergeMessages(row(), row({ content: "x", editedAt: 1 })).content).toBe("x");
  });

  test("M4 a read mark, and nothing less", () => {
    const read = row({ status: MessageStatus.READED });
    expect(mergeMessages(read, row())).toBe(read);
    expect(mergeMessages(row(), read)).toEqual(read);
    expect(mergeMessages(row({ status: MessageStatus.UNSEND }), row()).status).toBe(MessageStatus.SENDED);
  });

  test("M45 a quote of what was taken back, except in a message that was itself taken back", () => {
    const known = row({ quoteMessage: goneQuote });
    expect(mergeMessages(known, row({ quoteMessage: quote }))).toBe(known);
    expect(mergeMessages(known, row())).toBe(known);
    expect(mergeMessages(row({ quoteMessage: quote }), known)).toEqual(known);
    const longer = { ...goneQuote, content: "…" };
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
    "N3 G26 by %s an answered request stays answered, and may be answered otherwise",
    (_rule, of) => {
      const [open, approved, rejected] = [of(1), of(2), of(3)];
      expect(mergeMessages(approved, open)).toBe(approved);
      expect(mergeMessages(open, approved)).toEqual(approved);
      expect(mergeMessages(approved, rejected)).toEqual(rejected);
      expect(mergeMessages(open, of(1))).toBe(open);
    },
  );

  test("N2 a notice is what the last copy says", () => {
    const notice = (content: string) =>
      toSystemMessage(systemRow({ seqNo: 1, type: MessageType.SYSTEM_MESSAGE, content }));
    expect(mergeMessages(notice("a"), notice("b"))).toEqual(notice("b"));
    expect(mergeMessages(friend(2), notice("b"))).toEqual(notice("b"));
  });

  test("G40 the larger number of readers stays, and whether all have read", () => {
    const read = (readedCount: number, receiptOk = false) =>
      inGroup({ id: 5, sendId: ME, receipt: true, readedCount, receiptOk });
    const known = read(2);
    expect(mergeMessages(known, read(1, true))).toBe(known);
    expect(mergeMessages(known, read(3)).group).toEqual(read(3).group);
    expect(mergeMessages(known, read(2, true)).group).toEqual(read(2, true).group);
    expect(mergeMessages({ ...known, group: null }, read(1)).group).toEqual(read(1).group);
    expect(mergeMessages(known, { ...read(1), group: null }).group).toEqual(known.group);
  });

  test("G40 of what was taken back nobody has read anything", () => {
    const known = inGroup({
      id: 5,
      sendRole: 3,
      atUserIds: [4],
      receipt: true,
      receiptOk: true,
      readedCount: 3,
    });
    const nobody = { sendRole: 3, atUserIds: [], receipt: false, receiptOk: false, readedCount: 0 };
    expect(mergeMessages(known, { ...recalled, group: null }).group).toEqual(nobody);
    expect(mergeMessages({ ...recalled, group: known.group }, inGroup()).group).toEqual({
      ...nobody,
      sendRole: 1,
    });
    expect(mergeMessages(recalled, row()).group).toBeNull();
  });
});
