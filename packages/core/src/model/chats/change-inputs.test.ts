import { expect, test } from "vitest";
import { noChanges, type UserChanges } from "@parley/protocol/endpoints/changes";
import { FRIEND_CHAT, systemRow } from "../../testing/builders.ts";
import { EMPTY_CHATS } from "../signed-out-state.ts";
import { chatsReadFurtherHere, inputsOfChanges } from "./change-inputs.ts";
import { newChat } from "./new-chat.ts";

const NONE = noChanges("1");

test("I8 the change feed becomes inputs of the chats, in the order positions, rows, deletions, receipts", () => {
  const changes: UserChanges = {
    ...NONE,
    read: [
      { type: "PRIVATE", targetId: 2, mine: 7, theirs: 5 },
      { type: "GROUP", targetId: 9, mine: 3, theirs: -1 },
    ],
    cleared: [{ type: "SYSTEM", upTo: 4 }],
    hidden: [{ type: "PRIVATE", targetId: 2, ids: [6] }],
    purged: [{ groupId: 9, userId: 3, upTo: 8 }],
    system: [systemRow({ seqNo: 2 })],
    receipts: [{ groupId: 9, id: 1, readedCount: 2, receiptOk: true }],
  };
  expect(inputsOfChanges(changes)).toMatchObject([
    { kind: "read", key: FRIEND_CHAT, side: "mine", upTo: 7 },
    { kind: "read", key: FRIEND_CHAT, side: "theirs", upTo: 5 },
    { kind: "read", key: "GROUP:9", side: "mine", upTo: 3 },
    { kind: "row", key: "SYSTEM:0", message: { id: 1002 } },
    { kind: "cleared", type: "SYSTEM", upTo: 4 },
    { kind: "deleteForMe", key: FRIEND_CHAT, ids: [6] },
    { kind: "removeByModerator", key: "GROUP:9", removal: { userId: 3, upTo: 8 } },
    { kind: "receipt", key: "GROUP:9", receipt: { id: 1, readedCount: 2, receiptOk: true } },
  ]);
  expect(inputsOfChanges(changes)).toHaveLength(8);
});

test("I8 only chats that this client has read further are behind on the server", () => {
  const context = { historyStart: { PRIVATE: 0, GROUP: 0, SYSTEM: 0 }, friends: {}, groups: {} };
  const chats = { ...EMPTY_CHATS, byKey: { [FRIEND_CHAT]: { ...newChat(FRIEND_CHAT, context), readId: 5 } } };
  const readAt = (mine: number, targetId = 2) => ({
    ...NONE,
    read: [{ type: "PRIVATE" as const, targetId, mine, theirs: -1 }],
  });
  expect(chatsReadFurtherHere(readAt(4), chats)).toEqual([FRIEND_CHAT]);
  expect(chatsReadFurtherHere(readAt(5), chats)).toEqual([]);
  expect(chatsReadFurtherHere(readAt(-1, 3), chats)).toEqual([]);
});
