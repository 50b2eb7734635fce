import { MessageType } from "@parley/protocol/codes";
import type { PushData } from "@parley/protocol/received-frame";
import { privateMessage, systemMessage } from "@parley/protocol/message";
import { describe, expect, test } from "vitest";
import {
  friendVO,
  groupRequestVO,
  groupRow,
  groupVO,
  ME,
  ownRow,
  privateRow,
  requestVO,
  systemRow,
} from "../../testing/builders.ts";
import { readFrame } from "./read-frame.ts";
import { toSystemMessage, toChatMessage } from "../chats/chat-rows.ts";

const inPrivate = (data: PushData) => readFrame({ cmd: 3, data }, ME);
const inGroup = (data: PushData) => readFrame({ cmd: 4, data }, ME);
const inSystem = (data: PushData) => readFrame({ cmd: 5, data }, ME);
const ignored = (type: number) => ({ kind: "ignored", type });
const json = (value: unknown) => JSON.stringify(value);

describe("rows", () => {
  test("M1 rows go to the chat with the other person, of the group or of the system", () => {
    const read = (type: string, key: string, message: unknown, position: number) => ({
      kind: "chat",
      type,
      position,
      input: { kind: "row", key, message },
    });
    for (const row of [privateRow({ id: 5 }), ownRow({ id: 5 })])
      expect(inPrivate(row)).toEqual(read("PRIVATE", "PRIVATE:2", toChatMessage(row, ME), 5));
    const groupMessage = groupRow({ id: 6 });
    expect(inGroup(groupMessage)).toEqual(read("GROUP", "GROUP:5", toChatMessage(groupMessage, ME), 6));
    const notice = systemRow({ seqNo: 7 });
    expect(inSystem(notice)).toEqual(read("SYSTEM", "SYSTEM:0", toSystemMessage(notice), 7));
  });

  test.each(["id", "sendId", "recvId", "sendTime"])(
    "I38 a private row without a valid %s is ignored",
    (field) => {
      const row = { ...privateRow({ id: 5 }), [field]: field === "id" ? -1 : "x" };
      expect(inPrivate(row)).toEqual(ignored(0));
      expect(privateMessage.safeParse(row).success).toBe(false);
    },
  );

  test.each(["id", "sendId", "groupId", "sendTime"])(
    "I38 a group row without a valid %s is ignored",
    (field) => {
      expect(inGroup({ ...groupRow({ id: 5 }), [field]: -1e99 })).toEqual(ignored(0));
    },
  );

  test.each(["id", "seqNo", "sendTime"])("I38 a system row without a valid %s is ignored", (field) => {
    const row = { ...systemRow({ seqNo: 5 }), [field]: 0.5e99 };
    expect(inSystem(row)).toEqual(ignored(MessageType.FRIEND_APPLY));
    expect(systemMessage.safeParse(row).success).toBe(false);
  });

  test("I38 times up to the largest possible date are valid, also those before 1970", () => {
    const at = (sendTime: number) => inPrivate(privateRow({ id: 5, sendTime })).kind;
    expect([8.64e15, -8.64e15, 0].map(at)).toEqual(["chat", "chat", "chat"]);
    expect([8.64e15 + 1, -8.64e15 - 1, NaN].map(at)).toEqual(["ignored", "ignored", "ignored"]);
    expect(inPrivate(privateRow({ id: 0 })).kind).toBe("chat");
    expect(inPrivate(privateRow({ id: 5, type: 0.5 })).kind).toBe("ignored");
    expect(inPrivate(privateRow({ id: 0.5 })).kind).toBe("ignored");
  });

  test("M22 an edit is read with its target and new content, in groups also with its sender", () => {
    const quoteMessage = { id: 4, sendId: 2, content: "four", type: 0, status: 1 };
    const edit = { id: 5, type: MessageType.EDIT, content: "new", quoteMessage, sendTime: 9 };
    const event = { id: 5, type: MessageType.EDIT, targetId: 4, content: "new", sendTime: 9 };
    const read = { kind: "chat", type: "PRIVATE", position: 5 };
    expect(inPrivate(privateRow(edit))).toEqual({
      ...read,
      input: { kind: "event", key: "PRIVATE:2", event: { ...event, by: null } },
    });
    const by = { id: 2, name: "Friend" };
    expect(inGroup(groupRow(edit))).toEqual({
      ...read,
      type: "GROUP",
      input: { kind: "event", key: "GROUP:5", event: { ...event, by } },
    });
    expect(inPrivate(privateRow({ ...edit, quoteMessage: null }))).toEqual(ignored(MessageType.EDIT));
  });

  test("M23 a recall names its target in the content and has no text", () => {
    const recall = { id: 5, type: MessageType.RECALL, sendTime: 9 };
    expect(inPrivate(privateRow({ ...recall, content: "4" }))).toMatchObject({
      position: 5,
      input: { kind: "event", event: { type: MessageType.RECALL, targetId: 4, content: "" } },
    });
    expect(inPrivate(privateRow({ ...recall, content: "x" }))).toEqual(ignored(MessageType.RECALL));
  });

  test("M24 a row of a kind that is never shown is ignored", () => {
    expect(inPrivate(privateRow({ id: 5, type: MessageType.READED })).kind).toBe("ignored");
  });

  test("I8 P14 type 82 says that something has changed, with the content people in the contacts", () => {
    expect(inSystem({ type: MessageType.CHANGES })).toEqual({ kind: "changes", isAboutContacts: false });
    expect(inSystem({ type: MessageType.CHANGES, content: "people" })).toEqual({
      kind: "changes",
      isAboutContacts: true,
    });
  });
});

describe("signals", () => {
  test("I2 the start and the end of a pull are read, with left-out rows and failures", () => {
    const loading = (part: object) => inGroup({ type: MessageType.LOADING, ...part });
    const read = {
      kind: "loading",
      type: "GROUP",
      isOn: false,
      fromId: null,
      extras: null,
      hasFailed: false,
    };
    expect(loading({ content: "true" })).toEqual({ ...read, isOn: true });
    expect(loading({ content: "false", fromId: 7, failed: true })).toEqual({
      ...read,
      fromId: 7,
      hasFailed: true,
    });
    expect(loading({ fromId: -1, failed: "true" })).toEqual(read);
  });

  test.each<[string, object, string, string, number | null]>([
    [
      "of the other person",
      { type: MessageType.RECEIPT, sendId: 2, recvId: ME, maxId: 5 },
      "theirs",
      "PRIVATE:2",
      5,
    ],
    ["of mine", { type: MessageType.READED, sendId: ME, recvId: 2, maxId: 0 }, "mine", "PRIVATE:2", 0],
    [
      "before the first message",
      { type: MessageType.READED, sendId: ME, recvId: 2, maxId: -1 },
      "mine",
      "PRIVATE:2",
      -1,
    ],
    ["that is missing", { type: MessageType.READED, sendId: ME, recvId: 2 }, "mine", "PRIVATE:2", null],
    [
      "that is only in the content",
      { type: MessageType.READED, sendId: ME, recvId: 2, content: json({ id: 5 }) },
      "mine",
      "PRIVATE:2",
      5,
    ],
    [
      "that is invalid in the content",
      { type: MessageType.READED, sendId: ME, recvId: 2, content: json({ id: "5" }) },
      "mine",
      "PRIVATE:2",
      null,
    ],
  ])("M14 M56 a read position %s is read", (_what, data, side, key, upTo) => {
    expect(inPrivate(data as PushData)).toEqual({
      kind: "chat",
      type: "PRIVATE",
      position: null,
      input: { kind: "read", key, side, upTo },
    });
  });

  test("G35 N5 read positions of groups and of the system chat are read, and those without a chat are ignored", () => {
    const read = (data: unknown) => {
      const incoming = inGroup(data as PushData);
      return incoming.kind === "chat" && incoming.input.kind === "read" ? incoming.input : incoming;
    };
    const type = MessageType.READED;
    expect(read({ type, sendId: ME, groupId: 5, maxId: 9 })).toEqual({
      kind: "read",
      key: "GROUP:5",
      side: "mine",
      upTo: 9,
    });
    expect(read({ type, sendId: ME, recvId: 5, maxId: 9 })).toEqual(ignored(type));
    expect(read({ type, sendId: ME, groupId: 5, maxId: -2 })).toEqual(ignored(type));
    expect(inSystem({ type, maxId: 9 })).toMatchObject({
      type: "SYSTEM",
      input: { key: "SYSTEM:0", side: "mine", upTo: 9 },
    });
    expect(inPrivate({ type, sendId: ME })).toEqual(ignored(type));
  });

  test.each(["id", "readedCount", "groupId"])(
    "G40 a group receipt without a valid %s is ignored",
    (field) => {
      const type = MessageType.RECEIPT;
      const receipt = { id: 1, readedCount: 0, receiptOk: true, groupId: 5 };
      expect(inGroup({ type, ...receipt })).toEqual({
        kind: "chat",
        type: "GROUP",
        position: null,
        input: { kind: "receipt", key: "GROUP:5", receipt: { id: 1, readedCount: 0, receiptOk: true } },
      });
      expect(inGroup({ type, ...receipt, receiptOk: "true" })).toMatchObject({
        input: { receipt: { receiptOk: false } },
      });
      expect(inGroup({ type, ...receipt, [field]: -1 })).toEqual(ignored(type));
    },
  );

  test("G39 a removal by a moderator is read with its user and id, and ignored when invalid", () => {
    const type = MessageType.GROUP_KICK_USER_MSG;
    const read = (content: object, groupId = 5) => inGroup({ type, groupId, content: json(content) });
    expect(read({ userId: 7, upTo: -1 })).toEqual({
      kind: "chat",
      type: "GROUP",
      position: null,
      input: { kind: "removeByModerator", key: "GROUP:5", removal: { userId: 7, upTo: -1 } },
    });
    for (const content of [{ userId: 7 }, { upTo: 7 }, { userId: -1, upTo: 7 }, { userId: 7, upTo: -2 }])
      expect(read(content)).toEqual(ignored(type));
    expect(read({ userId: 7, upTo: 7 }, -1)).toEqual(ignored(type));
    expect(inGroup({ type, groupId: 5 })).toEqual(ignored(type));
  });

  test("P5 P10 a friend is read with the answered request, and ignored when invalid", () => {
    const type = MessageType.FRIEND_REQ_APPROVE;
    const read = (content: object) => inPrivate({ type, content: json(content) });
    const requestFields = { requestId: 8, status: 2, remark: "x", applyTime: 1 };
    expect(read({ ...friendVO(), ...requestFields })).toEqual({
      kind: "friend",
      friend: friendVO(),
      requestId: 8,
    });
    expect(read({ ...friendVO(), requestId: "8" })).toEqual({
      kind: "friend",
      friend: friendVO(),
      requestId: null,
    });
    for (const part of [{ id: -1 }, { showNickName: 5 }, { headImage: {} }])
      expect(read({ ...friendVO(), ...part })).toEqual(ignored(type));
  });

  test.each<[number, object, object]>([
    [MessageType.FRIEND_DELETED, { sendId: 2 }, { kind: "friendDeleted", userId: 2 }],
    [MessageType.FRIEND_DELETED, { sendId: -1 }, ignored(MessageType.FRIEND_DELETED)],
    [
      MessageType.FRIEND_REQ_APPLY,
      { content: json(requestVO({ status: 3 })) },
      { kind: "request", request: requestVO({ status: 1 }) },
    ],
    [
      MessageType.FRIEND_REQ_REJECT,
      { content: json(requestVO()) },
      { kind: "request", request: requestVO({ status: 3 }) },
    ],
    [
      MessageType.FRIEND_REQ_RECALL,
      { content: json(requestVO()) },
      { kind: "request", request: requestVO({ status: 4 }) },
    ],
    [MessageType.FRIEND_REQ_RECALL, {}, ignored(MessageType.FRIEND_REQ_RECALL)],
    [999, {}, ignored(999)],
  ])("P5 P10 push %i with %j is read as %j", (type, data, incoming) => {
    expect(inPrivate({ type, ...data })).toEqual(incoming);
  });

  test.each<[number, object, object]>([
    [
      MessageType.GROUP_REQ_APPLY,
      { content: json(groupRequestVO()) },
      { kind: "groupRequest", request: groupRequestVO() },
    ],
    [
      MessageType.GROUP_REQ_APPROVE,
      { content: json(groupRequestVO({ status: 2 })) },
      { kind: "groupRequest", request: groupRequestVO({ status: 2 }) },
    ],
    [MessageType.GROUP_REQ_REJECT, { content: "{}" }, ignored(MessageType.GROUP_REQ_REJECT)],
    [MessageType.GROUP_NEW, { content: json(groupVO()) }, { kind: "group", group: groupVO() }],
    [MessageType.GROUP_NEW, { content: json(groupVO({ id: -1 })) }, ignored(MessageType.GROUP_NEW)],
    [
      MessageType.GROUP_NEW,
      { content: json({ ...groupVO(), showGroupName: 5 }) },
      ignored(MessageType.GROUP_NEW),
    ],
    [MessageType.GROUP_NEW, { content: json({ ...groupVO(), notice: {} }) }, ignored(MessageType.GROUP_NEW)],
    [MessageType.GROUP_NEW, {}, ignored(MessageType.GROUP_NEW)],
    [MessageType.GROUP_LEFT, { groupId: 5 }, { kind: "groupLeft", groupId: 5 }],
    [MessageType.GROUP_LEFT, { groupId: -1 }, ignored(MessageType.GROUP_LEFT)],
  ])("G3 G4 G6 push %i with %j is read as %j", (type, data, incoming) => {
    expect(inGroup({ type, ...data })).toEqual(incoming);
  });

  test("C10 a ban and a deregistration end the session with the server's text", () => {
    expect(inSystem({ type: MessageType.USER_BANNED, content: "why" })).toEqual({
      kind: "ended",
      reason: "banned",
      text: "why",
    });
    expect(inSystem({ type: MessageType.USER_UNREG })).toEqual({
      kind: "ended",
      reason: "unregistered",
      text: "",
    });
  });
});
