import { expect, test } from "vitest";
import * as z from "zod/mini";
import { endpoint } from "@parley/protocol/endpoint";
import { id, idParam } from "@parley/protocol/text";
import { type Attack, WITHOUT_RIGHT, formerMemberGets, outsidersGet, sameOutcome } from "./attack-case.ts";
import { deriveAttacks } from "./derive-attacks.ts";

const made = { auth: "token", summary: "made up", answer: z.null() } as const;
const read = (path: string, fields: Record<string, z.ZodMiniType>) =>
  deriveAttacks(endpoint({ ...made, method: "GET", path, query: z.object(fields) }));
const write = (path: string, fields: Record<string, z.ZodMiniType>) =>
  deriveAttacks(endpoint({ ...made, method: "PUT", path, body: z.object(fields) }));
const linesOf = (attacks: readonly Attack[]) => attacks.map(({ what, expected }) => [what, expected]);

test("a call that takes no id is not attacked, nor one for administrators", () => {
  expect(write("/made", { tmpId: z.string(), name: z.string() })).toEqual([]);
  const query = z.object({ groupId: idParam() });
  expect(deriveAttacks(endpoint({ ...made, auth: "admin", method: "GET", path: "/made", query }))).toEqual(
    [],
  );
});

test("a write is refused with the error that is usual for what the id names", () => {
  expect(linesOf(write("/made", { groupId: id() }))).toEqual([["groupId of others", WITHOUT_RIGHT]]);
  const expectedBy = (path: string, field: string) => write(path, { [field]: id() })[0]?.expected;
  expect(expectedBy("/group/made", "id")).toEqual(WITHOUT_RIGHT);
  expect(expectedBy("/made", "friendId")).toEqual(sameOutcome("friend.notFriend"));
  expect(expectedBy("/friend/made", "id")).toEqual(sameOutcome("friend.notFriend"));
  expect(expectedBy("/made", "userId")).toEqual(sameOutcome("user.notFound"));
  expect(expectedBy("/message/private/made", "id")).toEqual(sameOutcome("message.notFound"));
  expect(expectedBy("/message/group/made", "messageId")).toEqual(outsidersGet("message.notFound"));
  expect(expectedBy("/friend/request/made", "id")).toEqual(sameOutcome("friend.requestNotYours"));
});

test("a read is refused likewise, but members of a group may read what is in it, and of a person there may be nothing", () => {
  const expectedBy = (path: string, field: string) => read(path, { [field]: idParam() })[0]?.expected;
  expect(expectedBy("/made", "groupId")).toEqual(formerMemberGets("group.notMember"));
  expect(expectedBy("/message/group/made", "id")).toEqual(outsidersGet("message.notFound"));
  expect(expectedBy("/message/private/made", "id")).toEqual(sameOutcome("message.notFound"));
  expect(expectedBy("/made", "userId")).toEqual(sameOutcome("nothing"));
});

test("an id that may name several things is tried as each of them", () => {
  expect(linesOf(read("/message/made", { messageId: idParam() }))).toEqual([
    ["messageId (privateMessage) of others", sameOutcome("nothing")],
    ["messageId (groupMessage) of others", outsidersGet("nothing")],
  ]);
  const attacks = write("/made", { id: id() });
  expect(attacks).toHaveLength(7);
  expect(new Set(attacks.flatMap(({ expected }) => Object.values(expected)))).toEqual(new Set(["refused"]));
});

test("a message id that is given with a group or a friend is of their chat", () => {
  const fields = (chat: string) => ({ [chat]: idParam(), messageId: idParam() });
  expect(read("/made", fields("groupId")).map(({ what }) => what)).toEqual([
    "groupId and messageId of others",
    "groupId and messageId with one's own group",
  ]);
  expect(read("/made", fields("friendId")).map(({ what }) => what)).toEqual([
    "friendId and messageId of others",
    "friendId and messageId with a friend",
  ]);
});

test("an optional id is tried too, and an id of others together with one's own group or a friend", () => {
  const fields = { groupId: id(), userIds: z.optional(z.array(id())) };
  expect(write("/made", fields).map(({ what, expected }) => [what, Object.keys(expected).length])).toEqual([
    ["groupId of others", 4],
    ["groupId and userIds of others", 4],
    ["groupId and userIds with one's own group", 1],
  ]);
  const inChat = { friendId: id(), messageId: id() };
  expect(linesOf(write("/message/private/made", inChat))).toEqual([
    ["friendId and messageId of others", sameOutcome("refused")],
    ["friendId and messageId with a friend", sameOutcome("nothing", ["exMember", "muted"])],
  ]);
});
