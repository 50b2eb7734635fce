import { describe, expect, test } from "vitest";
import type { GroupMemberVO, GroupVO } from "@parley/protocol/entities";
import { GroupRole } from "@parley/protocol/codes";
import type { State } from "@parley/core/model/state";
import { groupPermissions } from "./member-actions.ts";

const ME = 1;
const GROUP = 9;

function member(userId: number, part: Partial<GroupMemberVO> = {}): GroupMemberVO {
  return {
    userId,
    showNickName: `n${userId}`,
    remarkNickName: null,
    headImage: null,
    online: false,
    role: GroupRole.MEMBER,
    isMuted: false,
    quit: false,
    ...part,
  };
}

/** What I may do with user 2 in a group; the owner is user 3 unless I am. */
function actionsFor(role: GroupRole, target: Partial<GroupMemberVO> | null, group: Partial<GroupVO> = {}) {
  const members =
    target === null ? {} : { [GROUP]: { byId: { 2: member(2, target) }, order: [2], state: "loaded" } };
  const groupVO = {
    id: GROUP,
    ownerId: role === GroupRole.OWNER ? ME : 3,
    role,
    isMuted: false,
    isAllMuted: false,
    isBanned: false,
    dissolve: false,
    quit: false,
    ...group,
  };
  const state = {
    groups: { byId: { [GROUP]: groupVO }, members },
    session: { kind: "active", userId: ME },
  } as unknown as Pick<State, "groups" | "session">;
  return groupPermissions(state, `GROUP:${GROUP}`)?.memberActions(2);
}

describe("member actions in a group", () => {
  test("a member can mention other members", () =>
    expect(actionsFor(GroupRole.MEMBER, {})).toEqual(["mention"]));

  test("owners and admins can mention, mute and remove members", () => {
    expect(actionsFor(GroupRole.ADMIN, {})).toEqual(["mention", "mute", "remove"]);
    expect(actionsFor(GroupRole.OWNER, { isMuted: true })).toEqual(["mention", "unmute", "remove"]);
  });

  test("an admin can mute but not remove another admin", () =>
    expect(actionsFor(GroupRole.ADMIN, { role: GroupRole.ADMIN })).toEqual(["mention", "mute"]));

  test("a former member offers no action", () => {
    expect(actionsFor(GroupRole.OWNER, { quit: true })).toEqual([]);
  });

  test("only mentioning is offered until the members are loaded", () =>
    expect(actionsFor(GroupRole.OWNER, null)).toEqual(["mention"]));

  test("a muted member cannot mention", () =>
    expect(actionsFor(GroupRole.ADMIN, {}, { isMuted: true })).toEqual(["mute", "remove"]));

  test("there is no action in a dissolved group and none for oneself", () => {
    expect(actionsFor(GroupRole.OWNER, {}, { dissolve: true })).toEqual([]);
    const state = { groups: { byId: {}, members: {} }, session: { kind: "active", userId: ME } };
    const permissions = groupPermissions(
      state as unknown as Pick<State, "groups" | "session">,
      `GROUP:${GROUP}`,
    );
    expect(permissions?.memberActions(ME)).toEqual([]);
  });
});

test("there are no group permissions in a private chat", () => {
  const state = { groups: { byId: {}, members: {} }, session: { kind: "active", userId: ME } };
  expect(groupPermissions(state as unknown as Pick<State, "groups" | "session">, "PRIVATE:2")).toBeNull();
});
