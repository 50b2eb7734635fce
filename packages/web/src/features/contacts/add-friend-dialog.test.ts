import { expect, test } from "vitest";
import type { FriendRequestVO, FriendVO } from "@parley/protocol/entities";
import { relationshipOf } from "./add-friend-dialog.tsx";

const request = { id: 9, sendId: 1, recvId: 2 } as FriendRequestVO;
const friend = { id: 2, isDeleted: false } as FriendVO;

test("returns the relationship with a user", () => {
  expect(relationshipOf(1, 1, undefined, [])).toEqual({ kind: "me" });
  expect(relationshipOf(2, 1, friend, [request])).toEqual({ kind: "friend" });
  expect(relationshipOf(2, 1, { ...friend, isDeleted: true }, [])).toEqual({ kind: "stranger" });
  expect(relationshipOf(2, 1, undefined, [request])).toEqual({ kind: "requestSent", requestId: 9 });
  expect(relationshipOf(1, 2, undefined, [request])).toEqual({ kind: "requestReceived", requestId: 9 });
});
