import { groupPermission } from "@parley/core/model/selectors";
import { knownGroups } from "@parley/core/testing/known-groups";
import { GroupRole } from "@parley/protocol/codes";
import { type GroupAction, type GroupActionResult, checkGroupAction } from "@parley/protocol/group-rights";
import { expect, test } from "vitest";
import { createTestApp } from "../../testing/test-app.ts";
import { type TestPerson, registerPerson, makeGroup } from "../../testing/test-person.ts";
import { stored } from "../../testing/contracts/store-fixtures.ts";

type Call = (
  person: TestPerson,
  groupId: number,
  targetId: number,
) => Promise<{ envelope: { key?: string } }>;

const send = (person: TestPerson, groupId: number, extra: object = {}) =>
  person.call("sendGroupMessage", { body: { groupId, type: 0, content: "x", ...extra } });

/** The HTTP call of each action. The target is a message of the acting person or of another member. */
const CALLS: Partial<Record<GroupAction, Call>> = {
  speak: (person, groupId) => send(person, groupId),
  mentionAll: (person, groupId) => send(person, groupId, { atUserIds: [-1] }),
  askReceipt: (person, groupId) => send(person, groupId, { receipt: true }),
  edit: (person, groupId, quoteMessageId) => send(person, groupId, { type: 7, quoteMessageId }),
  recallOwn: (person, _, id) => person.call("recallGroupMessage", { params: { id } }),
  recallOthers: (person, _, id) => person.call("recallGroupMessage", { params: { id } }),
  react: (person, _, id) => person.call("setReaction", { body: { id, key: "👍", on: true } }),
};
const KEYS: Partial<Record<GroupActionResult, string>> = {
  banned: "group.banned",
  allMuted: "message.allMuted",
  muted: "message.muted",
};

test("G19 the server allows in a group what the table of rights allows and a client shows: each action, role, mute and ban", async () => {
  await using server = await createTestApp({ env: { RATE_LIMITS: "off" } });
  const people: TestPerson[] = [];
  for (let n = 0; n < 4; n++) people.push(await registerPerson(server.url));
  const [owner, admin, member, target] = people as [TestPerson, TestPerson, TestPerson, TestPerson];
  const groupId = await makeGroup(owner, [admin, member, target]);
  await owner.ok("addGroupManagers", { body: { groupId, userIds: [admin.id] } });
  const roles = [
    [owner, GroupRole.OWNER],
    [admin, GroupRole.ADMIN],
    [member, GroupRole.MEMBER],
  ] as const;
  const { store } = server.app;
  const rowOf = async ({ id }: TestPerson) =>
    stored(
      await store.appendGroup({
        tmpId: null,
        type: 0,
        groupId,
        sendId: id,
        sendNickName: "N",
        sendRole: GroupRole.MEMBER,
        content: "x",
        sendTime: server.clock.now(),
      }),
    ).row.id;

  let remarkCount = 0;
  /** Writes the state to the store. Then the owner changes their remark, which is always allowed and invalidates the server's cache. */
  const set = async (isAllMuted: boolean, isMuted: boolean, isBanned: boolean) => {
    await store.write(async (tx) => {
      await tx.updateGroup(groupId, { isAllMuted, banReason: isBanned ? "spam" : null });
      for (const { id } of [admin, member]) await tx.updateGroupMember(groupId, id, { isMuted });
    });
    await owner.ok("modifyGroup", { body: { id: groupId, remarkNickName: `owner ${++remarkCount}` } });
  };

  const actual: unknown[] = [];
  const expected: unknown[] = [];
  for (const isBanned of [false, true]) {
    for (const isAllMuted of [false, true]) {
      for (const isMuted of [false, true]) {
        await set(isAllMuted, isMuted, isBanned);
        for (const [person, role] of roles) {
          const known = knownGroups(
            await person.ok("findGroup", { params: { id: groupId } }),
            await person.ok("listGroupMembers", { params: { id: groupId } }),
          );
          for (const [action, call] of Object.entries(CALLS)) {
            const result = checkGroupAction(
              action as GroupAction,
              { role, isMuted: isMuted && role !== GroupRole.OWNER, quit: false },
              { isAllMuted, inviteRole: 1, editRole: 2, attrRole: 2, isBanned, dissolve: false },
              { role: GroupRole.MEMBER },
            );
            const shown = groupPermission(known, groupId, action as GroupAction, target.id);
            expect([action, role, shown]).toEqual([action, role, result]);
            const noRight = action === "recallOthers" ? "message.notYours" : "group.noRight";
            const cell = [action, role, { isBanned, isAllMuted, isMuted }];
            const id = await rowOf(action === "recallOthers" ? target : person);
            expected.push([...cell, result === "noRight" ? noRight : KEYS[result]]);
            actual.push([...cell, (await call(person, groupId, id)).envelope.key]);
          }
        }
      }
    }
  }
  expect(actual).toEqual(expected);
  expect(new Set(expected.map((row) => (row as unknown[])[3])).size).toBe(6);
});
