import { MessageStatus, MessageType, RequestStatus } from "@parley/protocol/codes";
import { expect, test } from "vitest";
import {
  friendOf,
  isForAll,
  isOfChat,
  isQuotable,
  maskedQuote,
  privateMessage,
  quotedRow,
  quoteMessage,
  statusFor,
  systemMessage,
} from "./message-presenter.ts";

const { SENDED, RECALL, READED } = MessageStatus;
const { TEXT, TIP_TEXT } = MessageType;
const quote = { id: 3, sendId: 7, content: "the quoted text", type: TEXT };

test("a private message with a recall event has the status recalled, others have the reader's status", () => {
  const row = {
    id: 4,
    tmpId: "t",
    type: TEXT,
    sendId: 7,
    recvId: 8,
    sendNickName: "Ann",
    content: "hello",
    sendTime: 5,
    tip: null,
    act: null,
    quote: null,
    editedAt: null,
    noticeId: null,
  };
  const { quote: _, noticeId: __, ...same } = row;
  const shown = { ...same, status: READED, quoteMessage: null, isEdited: false };
  expect(privateMessage(row, READED, "en")).toEqual(shown);
  expect(privateMessage({ ...row, noticeId: 0 }, READED, "en").status).toBe(RECALL);
  expect(privateMessage({ ...row, editedAt: 0 }, READED, "en").isEdited).toBe(true);
  const quoting = privateMessage({ ...row, quote: { ...quote, isRecalled: false } }, READED, "en");
  expect(quoting.quoteMessage).toEqual({ ...quote, status: SENDED });
});

test.each([
  ["zh-CN", "引用内容已撤回"],
  ["zh-TW", "引用內容已收回"],
  ["en", "The quoted message was recalled"],
] as const)("a sentence in %s replaces the text of a recalled quote", (language, content) => {
  const shown = quoteMessage({ ...quote, isRecalled: true }, language);
  expect(shown).toEqual({ ...quote, content, status: RECALL });
});

test("a reader who was not a member gets the quoted row without its text", () => {
  expect(maskedQuote(quote)).toEqual({ id: 3, sendId: 7, content: "", type: TIP_TEXT, isRecalled: false });
});

test("a recalled row is quoted without its text", () => {
  expect(quotedRow({ ...quote, noticeId: null })).toEqual({ ...quote, isRecalled: false });
  expect(quotedRow({ ...quote, noticeId: 0 })).toEqual({ ...quote, content: "", isRecalled: true });
});

test("the friend of a row is the other person, and oneself for a note to oneself", () => {
  expect([7, 8].map((id) => friendOf(id, { sendId: 7, recvId: 8 }))).toEqual([8, 7]);
  expect(friendOf(7, { sendId: 7, recvId: 7 })).toBe(7);
});

test("two people have one chat, in both directions", () => {
  const row = { sendId: 7, recvId: 8 };
  const pairs = [
    [7, 8, true],
    [8, 7, true],
    [7, 9, false],
    [9, 8, false],
    [8, 9, false],
    [9, 7, false],
    [7, 7, false],
    [8, 8, false],
  ] as const;
  for (const [sendId, recvId, isSame] of pairs) expect(isOfChat(row, { sendId, recvId })).toBe(isSame);
});

test("a message can quote only rows that are shown to the whole chat", () => {
  const row = { sendId: 7, recvId: 8, type: TEXT, onlyFor: null };
  expect(isQuotable(row, { sendId: 8, recvId: 7 })).toBe(true);
  expect(isQuotable(row, { sendId: 8, recvId: 9 })).toBe(false);
  expect(isQuotable({ ...row, onlyFor: 7 }, row)).toBe(false);
  expect(isForAll({ type: TEXT, onlyFor: 0 })).toBe(false);
  expect(isForAll({ type: MessageType.RECALL, onlyFor: null })).toBe(false);
  expect(isForAll({ type: 999, onlyFor: null })).toBe(false);
});

test("a row is read up to its reader's position, one's own up to the friend's", () => {
  const row = { id: 5, sendId: 7, recvId: 8 };
  expect(statusFor(8, row, { mine: 5, theirs: 0 })).toBe(READED);
  expect(statusFor(8, row, { mine: 4, theirs: 9 })).toBe(SENDED);
  expect(statusFor(7, row, { mine: 0, theirs: 5 })).toBe(READED);
  expect(statusFor(7, row, { mine: 9, theirs: 4 })).toBe(SENDED);
  expect(statusFor(7, row, undefined)).toBe(SENDED);
  expect(statusFor(7, { ...row, recvId: 7 }, undefined)).toBe(READED);
});

test("a notice in the system chat is read up to the position and is not a request", () => {
  const row = {
    id: 9,
    seqNo: 3,
    type: MessageType.SYSTEM_MESSAGE,
    title: "News",
    intro: "short",
    coverUrl: null,
    content: "no JSON",
    sendTime: 4,
  };
  const shown = { ...row, status: READED, isVerifyMessage: false, isPermanent: false, isTop: false };
  expect(systemMessage(row, 3)).toEqual(shown);
  expect(systemMessage(row, 2)).toEqual({ ...shown, status: SENDED });
});

test.each([MessageType.FRIEND_APPLY, MessageType.GROUP_APPLY])(
  "a request of type %d stays on top, and is read once it is answered",
  (type) => {
    const row = { id: 9, seqNo: 3, type, title: null, intro: null, coverUrl: null, content: "", sendTime: 4 };
    const present = (status: RequestStatus, position: number) =>
      systemMessage({ ...row, content: JSON.stringify({ status }) }, position);
    const wanted = { isVerifyMessage: true, isPermanent: true, isTop: true };
    expect(present(RequestStatus.PENDING, 2)).toMatchObject({ ...wanted, status: SENDED });
    expect(present(RequestStatus.PENDING, 3).status).toBe(READED);
    expect(present(RequestStatus.APPROVED, 2)).toMatchObject({ ...wanted, status: READED });
  },
);
