import { GroupRole, MessageType } from "@parley/protocol/codes";
import { expect, test } from "vitest";
import type { GroupRow } from "../../ports/group-store.ts";
import type { CachedGroup, CachedMember } from "./group-cache.ts";
import { groupRecallRight } from "./group-recall.ts";

const [OWNER, ADMIN, OTHER_ADMIN, MEMBER, FORMER, STRANGER] = [1, 2, 3, 4, 5, 6];

const member = (role: GroupRole, name: string, quit = false): CachedMember => ({
  role,
  isMuted: false,
  quit,
  stayFrom: 0,
  name,
});
const cached: CachedGroup = {
  group: { name: "Traders", isAllMuted: false, banReason: null, dissolvedAt: null } as GroupRow,
  members: new Map([
    [OWNER, member(GroupRole.OWNER, "Ann")],
    [ADMIN, member(GroupRole.ADMIN, "Bob")],
    [OTHER_ADMIN, member(GroupRole.ADMIN, "Cid")],
    [MEMBER, member(GroupRole.MEMBER, "Dan")],
    [FORMER, member(GroupRole.MEMBER, "Eve", true)],
  ]),
  memberIds: [OWNER, ADMIN, OTHER_ADMIN, MEMBER],
  newestStayFrom: 0,
};
const recall = (recaller: number, author: number) =>
  groupRecallRight(
    cached,
    { groupId: 7, sendId: author, sendNickName: "the author" },
    { tmpId: null, type: MessageType.RECALL, sendId: recaller, content: "12", sendTime: 5 },
  );

test.each([
  ["a member, their own, for a while", MEMBER, MEMBER, true],
  ["an admin, their own, for a while", ADMIN, ADMIN, true],
  ["the owner, their own, at any time", OWNER, OWNER, false],
  ["the owner, that of an admin, at any time", OWNER, ADMIN, false],
  ["an admin, that of a member, at any time", ADMIN, MEMBER, false],
  ["an admin, that of a former member, at any time", ADMIN, FORMER, false],
])("may recall: %s", (_, recaller, author, isTimeLimited) => {
  expect(recall(recaller, author).isTimeLimited).toBe(isTimeLimited);
});

test.each([
  ["a member, that of another", MEMBER, ADMIN, "message.notYours"],
  ["an admin, that of another admin", ADMIN, OTHER_ADMIN, "message.notYours"],
  ["an admin, that of the owner", ADMIN, OWNER, "message.notYours"],
  ["a former member, their own", FORMER, FORMER, "message.notInGroup"],
  ["a stranger, that of a member", STRANGER, MEMBER, "group.notFound"],
])("may not recall: %s", (_, recaller, author, key) => {
  expect(() => recall(recaller, author)).toThrow(expect.objectContaining({ key }));
});

test("the event and the tip name who recalls, with the role and name in the group", () => {
  expect(recall(MEMBER, MEMBER)).toMatchObject({
    event: { groupId: 7, sendId: MEMBER, sendRole: GroupRole.MEMBER, sendNickName: "Dan", content: "12" },
    tip: { key: "recalled", params: { name: "the author" } },
  });
  expect(recall(ADMIN, MEMBER)).toMatchObject({
    event: { groupId: 7, sendId: ADMIN, sendRole: GroupRole.ADMIN, sendNickName: "Bob", content: "12" },
    tip: { key: "recalledBy", params: { name: "Bob", nameId: ADMIN, author: "the author" } },
  });
});
