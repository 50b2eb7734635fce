import { MessageStatus, MessageType } from "@parley/protocol/codes";
import type { GroupMessage, PrivateMessage, SystemMessage } from "@parley/protocol/message";
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
import type { ChatKey, ChatMessage } from "../state.ts";

const TALK: ChatMessage = {
  key: "5",
  id: 5,
  tmpId: null,
  type: MessageType.TEXT,
  sendId: 2,
  sendNickName: "Friend",
  content: "text 5",
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
  test("I37 a text is a chat key only as a whole", () => {
    expect(parseChatKey("GROUP:12")).toEqual({ key: "GROUP:12", type: "GROUP", targetId: 12 });
    expect(parseChatKey("SYSTEM:0")).toEqual({ key: "SYSTEM:0", type: "SYSTEM", targetId: 0 });
    expect(parseChatKey("PRIVATE:007")).toEqual({ key: "PRIVATE:7", type: "PRIVATE", targetId: 7 });
    for (const text of ["", "PRIVATE", "PRIVATE:", "xPRIVATE:1", "PRIVATE:1x", "OTHER:1", "PRIVATE:-1"])
      expect(parseChatKey(text)).toBeNull();
    expect(parseChatKey(`PRIVATE:${"1".repeat(17)}`)).toBeNull();
  });

  test("M2 the kind of a chat is told by its key", () => {
    for (const type of ["PRIVATE", "GROUP", "SYSTEM"] as const)
      expect(chatTypeOf(chatKey(type, 3))).toBe(type);
  });

  test("M2 a private row belongs to the chat with the other one, a note to oneself to one's own", () => {
    const keys: ChatKey[] = [privateRow({ id: 5 }), ownRow({ id: 5 }), ownRow({ id: 5, recvId: ME })].map(
      (row) => privateChatKey(row, ME),
    );
    expect(keys).toEqual(["PRIVATE:2", "PRIVATE:2", "PRIVATE:1"]);
  });

  test("N5 positions are seqNos in the system chat, else ids, and behind everything without one", () => {
    expect(positionOf(toSystemMessage(systemRow({ seqNo: 3 })))).toBe(3);
    expect(positionOf(TALK)).toBe(5);
    expect(positionOf({ ...TALK, id: null })).toBe(Infinity);
  });
});

describe("private and group rows", () => {
  test("M2 a row as it is, of another one and of mine", () => {
    expect(toChatMessage(privateRow({ id: 5 }), ME)).toEqual(TALK);
    expect(toChatMessage(privateRow({ id: 5, tmpId: "t" }), ME)).toEqual({ ...TALK, tmpId: "t" });
    const mine = { sendId: ME, sendNickName: "Me", selfSend: true };
    expect(toChatMessage(ownRow({ id: 5 }), ME)).toEqual({ ...TALK, ...mine, key: "tmp-5", tmpId: "tmp-5" });
    expect(toChatMessage(ownRow({ id: 5, tmpId: null }), ME)).toEqual({ ...TALK, ...mine });
  });

  test("M2 with all that a row can carry", () => {
    const part = {
      quoteMessage: { id: 4, sendId: 2, content: "four", type: 0, status: 1 },
      isEdited: true,
      editedAt: 7,
      tip: { key: "recalled", params: { name: "Ann" } },
      act: { result: "ended", seconds: 3 },
      status: MessageStatus.READED,
    } as const;
    expect(toChatMessage(privateRow({ id: 5, ...part }), ME)).toEqual({
      ...TALK,
      ...part,
    });
  });

  test("G40 a group row says who wrote it, whom it names and who has read it", () => {
    const part = { sendRole: 3, atUserIds: [1, -1], receipt: true, receiptOk: true, readedCount: 4 };
    expect(toChatMessage(groupRow({ id: 5, ...part }), ME)).toEqual({ ...TALK, group: part });
  });

  test("I38 fields of another type count as not there", () => {
    const odd = {
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
    const row = { ...groupRow({ id: 5 }), ...odd } as unknown as GroupMessage;
    const group = { sendRole: "3", atUserIds: ["1", 2], receipt: 1, receiptOk: 1, readedCount: "4" };
    expect(toChatMessage({ ...row, ...group } as unknown as GroupMessage, ME)).toEqual({
      ...TALK,
      sendNickName: "",
      content: "",
      group: { sendRole: 1, atUserIds: [2], receipt: false, receiptOk: false, readedCount: 0 },
    });
    const bare = { id: 5, type: 0, sendId: 2, recvId: 1, sendTime: NOON + 5_000 } as PrivateMessage;
    expect(toChatMessage(bare, ME)).toEqual({ ...TALK, sendNickName: "", content: "" });
  });

  test("M23 of a row that was taken back a sentence is left, the server's own if it has one", () => {
    const row = privateRow({ id: 5, status: MessageStatus.RECALL, isEdited: true, editedAt: 7 });
    const gone = { ...TALK, type: MessageType.TIP_TEXT, content: "", status: MessageStatus.RECALL };
    expect(toChatMessage(row, ME)).toEqual({ ...gone, tip: { key: "recalled", params: { name: "Friend" } } });
    const tip = { key: "recalledBy", params: { name: "Bo", nameId: 3, author: "Friend" } } as const;
    expect(toChatMessage({ ...row, tip }, ME)).toEqual({ ...gone, tip });
  });

  test.each([
    [MessageStatus.UNSEND, MessageStatus.SENDED],
    [MessageStatus.SENDED, MessageStatus.SENDED],
    [MessageStatus.READED, MessageStatus.READED],
    [77, MessageStatus.SENDED],
  ])("I38 a row of status %i has status %i", (status, read) => {
    expect(toChatMessage(privateRow({ id: 5, status }), ME).status).toBe(read);
  });
});

describe("rows of the system chat", () => {
  const OF_SYSTEM: ChatMessage = { ...TALK, key: "1005", id: 1_005, sendId: 0, sendNickName: "" };

  test("N112 a notice is as it says", () => {
    const said = { title: "News", intro: "In short", coverUrl: "/c.png" };
    const row = systemRow({ seqNo: 5, type: MessageType.SYSTEM_MESSAGE, content: "x", ...said });
    const flags = { isVerifyMessage: true, isPermanent: true, isTop: true };
    const nothing = { request: null, groupRequest: null };
    expect(toSystemMessage(row)).toEqual({
      ...OF_SYSTEM,
      type: MessageType.SYSTEM_MESSAGE,
      content: "x",
      system: { seqNo: 5, ...said, ...flags, ...nothing },
    });
    const odd = {
      title: 1,
      intro: 1,
      coverUrl: 1,
      isVerifyMessage: 1,
      isPermanent: 1,
      isTop: 1,
      content: null,
    };
    expect(toSystemMessage({ ...row, ...odd } as unknown as SystemMessage)).toEqual({
      ...OF_SYSTEM,
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
        ...nothing,
      },
    });
  });

  test.each([
    [MessageType.FRIEND_APPLY, requestVO(), "request", "groupRequest"],
    [MessageType.GROUP_APPLY, groupRequestVO(), "groupRequest", "request"],
  ] as const)(
    "N1 N4 one of type %i holds its request, is to be answered and stays",
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

  test("N4 a message without a request waits for nothing", () => {
    expect(systemRequestOf({ system: null })).toBeNull();
    const notice = toSystemMessage(systemRow({ seqNo: 5, type: MessageType.SYSTEM_MESSAGE }));
    expect(systemRequestOf(notice)).toBeNull();
    expect(isHandled(notice)).toBe(false);
  });

  test.each(["id", "sendId", "recvId", "status"])(
    "N4 a friend request without %s cannot be read",
    (field) => {
      expect(parseFriendRequest(JSON.stringify(requestVO()))).toEqual(requestVO());
      expect(parseFriendRequest(JSON.stringify({ ...requestVO(), [field]: "1" }))).toBeNull();
    },
  );

  test.each(["id", "groupId", "sendId", "status"])(
    "N4 one for a group without %s cannot be read",
    (field) => {
      expect(parseGroupRequest(JSON.stringify(groupRequestVO()))).toEqual(groupRequestVO());
      expect(parseGroupRequest(JSON.stringify({ ...groupRequestVO(), [field]: "1" }))).toBeNull();
    },
  );

  test("N4 nor can one with an object in it, or what is no object", () => {
    for (const read of [parseFriendRequest, parseGroupRequest])
      for (const text of [undefined, "", "null", "[]", "5"]) expect(read(text)).toBeNull();
    expect(parseFriendRequest(JSON.stringify({ ...requestVO(), remark: {} }))).toBeNull();
    expect(parseGroupRequest(JSON.stringify({ ...groupRequestVO(), remark: {} }))).toBeNull();
  });
});
