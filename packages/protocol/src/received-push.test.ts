import { describe, expect, test } from "vitest";
import { MessageType } from "./codes.ts";
import { receivedGroupSignal, receivedPrivateSignal, receivedSystemSignal } from "./received-push.ts";
import { groupSignal, privateSignal } from "./signal.ts";

const extra = { v: 7, reactions: [{ key: "👍", count: 1, first: [2] }] };
const acts = [{ by: 2, kind: "reactions", key: "👍", on: true }];
const told = { type: MessageType.EXTRA, messageId: 9, sendId: 1, extra, acts };
const inPrivate = { ...told, recvId: 2 };
const inGroup = { ...told, groupId: 5 };

describe("the signal of an extra", () => {
  test("is read as it is sent, in both kinds of chats and in no other frame", () => {
    const sent = { content: "" };
    expect(receivedPrivateSignal.parse(privateSignal.parse({ ...inPrivate, ...sent }))).toEqual(inPrivate);
    expect(receivedGroupSignal.parse(groupSignal.parse({ ...inGroup, ...sent }))).toEqual(inGroup);
    expect(receivedSystemSignal.safeParse({ ...inPrivate, ...sent }).success).toBe(false);
  });

  test("has no id, so that nobody takes it for a row", () => {
    expect(Object.keys(privateSignal.parse({ ...inPrivate, content: "", id: 3 }))).not.toContain("id");
  });

  test("of another server without acts, or with other ones, tells the totals", () => {
    const noActs = [undefined, null, "text", [{ by: 2 }], [{ ...acts[0], on: "yes" }]];
    for (const other of noActs) {
      expect(receivedPrivateSignal.parse({ ...inPrivate, acts: other })).toEqual({ ...inPrivate, acts: [] });
      expect(receivedGroupSignal.parse({ ...inGroup, acts: other })).toEqual({ ...inGroup, acts: [] });
    }
  });

  test("without its message, its chat or an extra is not read", () => {
    const defects = [{ messageId: undefined }, { extra: null }, { extra: { reactions: [] } }];
    for (const defect of [...defects, { sendId: undefined }, { recvId: "2" }])
      expect(receivedPrivateSignal.safeParse({ ...inPrivate, ...defect }).success).toBe(false);
    for (const defect of [...defects, { groupId: undefined }])
      expect(receivedGroupSignal.safeParse({ ...inGroup, ...defect }).success).toBe(false);
  });
});
