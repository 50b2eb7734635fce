import { MessageStatus, MessageType } from "@parley/protocol/codes";
import { describe, expect, test } from "vitest";
import {
  groupRequestVO,
  groupRow,
  ME,
  NOON,
  ownRow,
  privateRow,
  requestVO,
  systemRow,
} from "../../testing/builders.ts";
import {
  chatKey,
  isHandled,
  parseChatKey,
  positionOf,
  privateChatKey,
  parseGroupRequest,
  parseFriendRequest,
  systemRequestOf,
  toSystemMessage,
  toChatMessage,
  chatTypeOf,
} from "./chat-rows.ts";
import { groupRowOf, privateRowOf, systemRowOf } from "../connection/wire-fields.ts";
import type { ChatKey, ChatMessage } from "../state.ts";

const FRIEND_MESSAGE: ChatMessage = {
  key: "5",
  id: 5,
  tmpId: null,
  type: MessageType.TEXT,
  sendId: 2,
  sendNickName: "Friend",
  content: "text 5",
  upload: null,
  sendTime: NOON + 5_000,
  status: MessageStatus.SENDED,
  selfSend: false,
  sending: null,
  failure: null,
  quoteMessage: null,
  isEdited: false,
  editedAt: null,
  tip: null,
  act: null,
  hasTimeTip: false,
  system: null,
  group: null,
};

describe("keys", () => {
  test("I37 only a complete chat key is parsed", () => {
    expect(parseChatKey("GROUP:12")).toEqual({ key: "GROUP:12", type: "GROUP", targetId: 12 });
    expect(parseChatKey("SYSTEM:0")).toEqual({ key: "SYSTEM:0", type: "SYSTEM", targetId: 0 });
    expect(parseChatKey("PRIVATE:007")).toEqual({ key: "PRIVATE:7", type: "PRIVATE", targetId: 7 });
    for (const text of ["", "PRIVATE", "PRIVATE:", "xPRIVATE:1", "PRIVATE:1x", "OTHER:1", "PRIVATE:-1"])
      expect(parseChatKey(text)).toBeNull();
    expect(parseChatKey(`PRIVATE:${"1".repeat(17)}`)).toBeNull();
  });

  test("M2 the type of a chat is read from its key", () => {
    for (const type of ["PRIVATE", "GROUP", "SYSTEM"] as const)
      expect(chatTypeOf(chatKey(type, 3))).toBe(type);
  });

  test("M2 a private row belongs to the chat with the other person, a note to oneself to one's own chat", () => {
    const keys: ChatKey[] = [privateRow({ id: 5 }), ownRow({ id: 5 }), ownRow({ id: 5, recvId: ME })].map(
      (row) => privateChatKey(row, ME),
    );
    expect(keys).toEqual(["PRIVATE:2", "PRIVATE:2", "PRIVATE:1"]);
  });

  test("N5 positions are seqNos in the system chat, else ids, and Infinity without an id", () => {
    expect(positionOf(toSystemMessage(systemRow({ seqNo: 3 })))).toBe(3);
    expect(positionOf(FRIEND_MESSAGE)).toBe(5);
    expect(positionOf({ ...FRIEND_MESSAGE, id: null })).toBe(Infinity);
  });
});

describe("private and group rows", () => {
  test("M2 rows of another person and of mine become messages", () => {
    expect(toChatMessage(privateRow({ id: 5 }), ME)).toEqual(FRIEND_MESSAGE);
    expect(toChatMessage(privateRow({ id: 5, tmpId: "t" }), ME)).toEqual({ ...FRIEND_MESSAGE, tmpId: "t" });
    const mine = { sendId: ME, sendNickName: "Me", selfSend: true };
    expect(toChatMessage(ownRow({ id: 5 }), ME)).toEqual({
      ...FRIEND_MESSAGE,
      ...mine,
      key: "tmp-5",
      tmpId: "tmp-5",
    });
    expect(toChatMessage(ownRow({ id: 5, tmpId: null }), ME)).toEqual({ ...FRIEND_MESSAGE, ...mine });
  });

  test("M2 all optional fields of a row are kept", () => {
    const part = {
      quoteMessage: { id: 4, sendId: 2, content: "four", type: 0, status: 1 },
      isEdited: true,
      editedAt: 7,
      tip: { key: "recalled", params: { name: "Ann" } },
      act: { result: "ended", seconds: 3 },
      status: MessageStatus.READED,
    } as const;
    expect(toChatMessage(privateRow({ id: 5, ...part }), ME)).toEqual({
      ...FRIEND_MESSAGE,
      ...part,
    });
  });

  test("G40 role, mentions and read count of a group row are kept", () => {
    const part = { sendRole: 3, atUserIds: [1, -1], receipt: true, receiptOk: true, readedCount: 4 };
    expect(toChatMessage(groupRow({ id: 5, ...part }), ME)).toEqual({ ...FRIEND_MESSAGE, group: part });
  });

  test("I38 fields of the wrong type count as missing", () => {
    const invalid = {
      tmpId: 5,
      sendNickName: null,
      content: 5,
      quoteMessage: {},
      isEdited: "true",
      editedAt: "x",
      tip: {},
      act: {},
      status: 9,
    };
    const row = { ...groupRow({ id: 5 }), ...invalid };
    const group = { sendRole: "3", atUserIds: ["1", 2], receipt: 1, receiptOk: 1, readedCount: "4" };
    expect(toChatMessage(groupRowOf({ ...row, ...group })!, ME)).toEqual({
      ...FRIEND_MESSAGE,
      sendNickName: "",
      content: "",
      group: { sendRole: 1, atUserIds: [2], receipt: false, receiptOk: false, readedCount: 0 },
    });
    const bare = { id: 5, type: 0, sendId: 2, recvId: 1, sendTime: NOON + 5_000 };
    expect(toChatMessage(privateRowOf(bare)!, ME)).toEqual({
      ...FRIEND_MESSAGE,
      sendNickName: "",
      content: "",
    });
  });

  test("M23 a recalled row becomes a tip, the server's own if it has one", () => {
    const row = privateRow({ id: 5, status: MessageStatus.RECALL, isEdited: true, editedAt: 7 });
    const recalled = {
      ...FRIEND_MESSAGE,
      type: MessageType.TIP_TEXT,
      content: "",
      status: MessageStatus.RECALL,
    };
    expect(toChatMessage(row, ME)).toEqual({
      ...recalled,
      tip: { key: "recalled", params: { name: "Friend" } },
    });
    const tip = { key: "recalledBy", params: { name: "Bo", nameId: 3, author: "Friend" } } as const;
    expect(toChatMessage({ ...row, tip }, ME)).toEqual({ ...recalled, tip });
  });

  test.each([
    [MessageStatus.UNSEND, MessageStatus.SENDED],
    [MessageStatus.SENDED, MessageStatus.SENDED],
    [MessageStatus.READED, MessageStatus.READED],
    [77, MessageStatus.SENDED],
  ])("I38 a row with the wire status %i has the status %i", (status, expected) => {
    expect(toChatMessage(privateRow({ id: 5, status }), ME).status).toBe(expected);
  });
});

describe("rows of the system chat", () => {
  const SYSTEM_FIELDS: ChatMessage = {
    ...FRIEND_MESSAGE,
    key: "1005",
    id: 1_005,
    sendId: 0,
    sendNickName: "",
  };

  test("N112 the texts and flags of a notice are kept, and invalid ones become null or false", () => {
    const texts = { title: "News", intro: "In short", coverUrl: "/c.png" };
    const row = systemRow({ seqNo: 5, type: MessageType.SYSTEM_MESSAGE, content: "x", ...texts });
    const flags = { isVerifyMessage: true, isPermanent: true, isTop: true };
    const noRequests = { request: null, groupRequest: null };
    expect(toSystemMessage(row)).toEqual({
      ...SYSTEM_FIELDS,
      type: MessageType.SYSTEM_MESSAGE,
      content: "x",
      system: { seqNo: 5, ...texts, ...flags, ...noRequests },
    });
    const invalid = {
      title: 1,
      intro: 1,
      coverUrl: 1,
      isVerifyMessage: 1,
      isPermanent: 1,
      isTop: 1,
      content: null,
    };
    expect(toSystemMessage(systemRowOf({ ...row, ...invalid })!)).toEqual({
      ...SYSTEM_FIELDS,
      type: MessageType.SYSTEM_MESSAGE,
      content: "",
      system: {
        seqNo: 5,
        title: null,
        intro: null,
        coverUrl: null,
        isVerifyMessage: false,
        isPermanent: false,
        isTop: false,
        ...noRequests,
      },
    });
  });

  test.each([
    [MessageType.FRIEND_APPLY, requestVO(), "request", "groupRequest"],
    [MessageType.GROUP_APPLY, groupRequestVO(), "groupRequest", "request"],
  ] as const)(
    "N1 N4 a message of type %i has its request and is always permanent and pinned",
    (type, request, field, other) => {
      const flags = { isVerifyMessage: false, isPermanent: false, isTop: false };
      const row = systemRow({ seqNo: 5, type, content: JSON.stringify(request), ...flags });
      const { system } = toSystemMessage(row);
      expect(system).toMatchObject({ isVerifyMessage: true, isPermanent: true, isTop: true });
      expect(system).toMatchObject({ [field]: request, [other]: null });
      expect(systemRequestOf({ system })).toEqual(request);
      expect(isHandled({ system })).toBe(false);
      const answered = { ...system, [field]: { ...request, status: 2 } } as typeof system;
      expect(isHandled({ system: answered })).toBe(true);
    },
  );

  test("N4 a message without a request is not handled", () => {
    expect(systemRequestOf({ system: null })).toBeNull();
    const notice = toSystemMessage(systemRow({ seqNo: 5, type: MessageType.SYSTEM_MESSAGE }));
    expect(systemRequestOf(notice)).toBeNull();
    expect(isHandled(notice)).toBe(false);
  });

  test.each(["id", "sendId", "recvId", "status"])(
    "N4 a friend request without a valid %s is unreadable",
    (field) => {
      expect(parseFriendRequest(JSON.stringify(requestVO()))).toEqual(requestVO());
      expect(parseFriendRequest(JSON.stringify({ ...requestVO(), [field]: "1" }))).toBeNull();
    },
  );

  test.each(["id", "groupId", "sendId", "status"])(
    "N4 a group request without a valid %s is unreadable",
    (field) => {
      expect(parseGroupRequest(JSON.stringify(groupRequestVO()))).toEqual(groupRequestVO());
      expect(parseGroupRequest(JSON.stringify({ ...groupRequestVO(), [field]: "1" }))).toBeNull();
    },
  );

  test("N4 a request that contains an object or is none is unreadable", () => {
    for (const parse of [parseFriendRequest, parseGroupRequest])
      for (const text of [undefined, "", "null", "[]", "5"]) expect(parse(text)).toBeNull();
    expect(parseFriendRequest(JSON.stringify({ ...requestVO(), remark: {} }))).toBeNull();
    expect(parseGroupRequest(JSON.stringify({ ...groupRequestVO(), remark: {} }))).toBeNull();
  });
});
