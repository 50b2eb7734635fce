import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { groupPermission } from "@parley/core/model/selectors";
import { knownGroups } from "@parley/core/testing/known-groups";
import { GroupRole } from "@parley/protocol/codes";
import type { GroupAction } from "@parley/protocol/group-rights";
import type { GroupPatch } from "../../ports/group-store.ts";
import { newGroup } from "../../testing/contracts/store-fixtures.ts";
import { type TestApp, createTestApp } from "../../testing/test-app.ts";
import { type TestPerson, befriend, registerPerson } from "../../testing/test-person.ts";

let server: TestApp;
/** The people who act, one for each column of the table. */
const cast: Record<Who, TestPerson> = {} as Record<Who, TestPerson>;
/** The people who are acted on: an ordinary member, another admin, a friend of everybody who is not in the group. */
let [member, admin, outside]: TestPerson[] = [];

type Who = "owner" | "admin" | "member" | "former" | "stranger";
const WHO: readonly Who[] = ["owner", "admin", "member", "former", "stranger"];

beforeAll(async () => {
  server = await createTestApp({ env: { RATE_LIMITS: "off" } });
  for (const who of WHO) cast[who] = await registerPerson(server.url);
  [member, admin, outside] = [
    await registerPerson(server.url),
    await registerPerson(server.url),
    await registerPerson(server.url),
  ];
  for (const who of WHO) await befriend(cast[who], others().outside);
});
afterAll(() => server[Symbol.asyncDispose]());

function others(): { member: TestPerson; admin: TestPerson; outside: TestPerson } {
  if (!member || !admin || !outside) throw new Error("the people are not registered yet");
  return { member, admin, outside };
}

/** A fresh group of the cast, in the given state. */
async function makeGroup(patch: GroupPatch, isMuted: boolean): Promise<number> {
  return server.app.store.write(async (tx) => {
    const group = await tx.insertGroup(newGroup(cast.owner.id));
    const roles: [TestPerson, GroupRole][] = [
      [cast.owner, GroupRole.OWNER],
      [cast.admin, GroupRole.ADMIN],
      [cast.member, GroupRole.MEMBER],
      [cast.former, GroupRole.MEMBER],
      [others().member, GroupRole.MEMBER],
      [others().admin, GroupRole.ADMIN],
    ];
    for (const [person, role] of roles) await tx.upsertGroupMember(group.id, person.id, role, 0);
    await tx.endGroupStay(group.id, cast.former.id);
    for (const who of WHO) await tx.updateGroupMember(group.id, cast[who].id, { isMuted });
    await tx.updateGroup(group.id, patch);
    return group.id;
  });
}

const ACTIONS = {
  invite: (by, id) => by.call("inviteToGroup", { body: { groupId: id, friendIds: [others().outside.id] } }),
  editInfo: (by, id) => by.call("modifyGroup", { body: { id, name: "Other" } }),
  editNotice: (by, id) => by.call("modifyGroup", { body: { id, notice: "Other" } }),
  editAttributes: (by, id) => by.call("modifyGroup", { body: { id, attributes: { a: "b" } } }),
  setOwnRemarks: (by, id) => by.call("modifyGroup", { body: { id, remarkGroupName: "Mine" } }),
  changeSettings: (by, id) => by.call("setGroupSettings", { body: { groupId: id, joinApproval: true } }),
  mute: (by, id) =>
    by.call("muteGroupMembers", { body: { groupId: id, userIds: [others().member.id], isMuted: true } }),
  muteAdmin: (by, id) =>
    by.call("muteGroupMembers", { body: { groupId: id, userIds: [others().admin.id], isMuted: true } }),
  muteOwner: (by, id) =>
    by.call("muteGroupMembers", { body: { groupId: id, userIds: [cast.owner.id], isMuted: true } }),
  muteAll: (by, id) => by.call("muteGroup", { body: { id, isMuted: true } }),
  remove: (by, id) => by.call("removeGroupMembers", { body: { groupId: id, userIds: [others().member.id] } }),
  removeAdmin: (by, id) =>
    by.call("removeGroupMembers", { body: { groupId: id, userIds: [others().admin.id] } }),
  removeOwner: (by, id) => by.call("removeGroupMembers", { body: { groupId: id, userIds: [cast.owner.id] } }),
  addAdmin: (by, id) => by.call("addGroupManagers", { body: { groupId: id, userIds: [others().member.id] } }),
  removeAdminRole: (by, id) =>
    by.call("removeGroupManagers", { body: { groupId: id, userIds: [others().admin.id] } }),
  transfer: (by, id) => by.call("transferGroup", { body: { groupId: id, userId: others().member.id } }),
  quit: (by, id) => by.call("quitGroup", { params: { id } }),
  dissolve: (by, id) => by.call("dissolveGroup", { params: { id } }),
} satisfies Record<string, (by: TestPerson, groupId: number) => ReturnType<TestPerson["call"]>>;
type Action = keyof typeof ACTIONS;

const OK = "ok";
const NO = "group.noRight";
const OUT = "group.notMember";
/** For a stranger there is no such group. */
const HIDDEN = "group.notFound";
const STAYS = "group.ownerStays";
const NOT_QUIT = "group.ownerMayNotQuit";
const BANNED = "group.banned";

/** The right that a client checks before it offers the action, and its target. */
const SHOWN: Record<Action, [GroupAction, (() => TestPerson)?]> = {
  invite: ["invite"],
  editInfo: ["editInfo"],
  editNotice: ["editInfo"],
  editAttributes: ["editAttributes"],
  setOwnRemarks: ["setOwnRemarks"],
  changeSettings: ["changeSettings"],
  mute: ["mute", () => others().member],
  muteAdmin: ["mute", () => others().admin],
  muteOwner: ["mute", () => cast.owner],
  muteAll: ["muteAll"],
  remove: ["remove", () => others().member],
  removeAdmin: ["remove", () => others().admin],
  removeOwner: ["remove", () => cast.owner],
  addAdmin: ["manageAdmins", () => others().member],
  removeAdminRole: ["manageAdmins", () => others().admin],
  transfer: ["transfer", () => others().member],
  quit: ["quit"],
  dissolve: ["dissolve"],
};

/** The result that a client predicts from what the server shows this person of the group. */
async function predict(who: TestPerson, groupId: number, action: Action): Promise<string> {
  const found = await who.call("findGroup", { params: { id: groupId } });
  const members = await who.call("listGroupMembers", { params: { id: groupId } });
  // A stranger does not find the group.
  if (found.envelope.code !== 200) return found.envelope.key ?? "no key";
  const known = knownGroups(
    found.envelope.data,
    members.envelope.code === 200 ? members.envelope.data : null,
  );
  const [right, target] = SHOWN[action];
  switch (groupPermission(known, groupId, right, target?.().id)) {
    case "ok":
      return OK;
    case "dissolved":
      return "group.dissolved";
    case "banned":
      return BANNED;
    case "notMember":
      return OUT;
    case "ownerStays":
      return action === "quit" ? NOT_QUIT : STAYS;
    default:
      return NO;
  }
}

/** The result of an action for each role. It must be what a client of that role predicts. */
async function resultsByRole(action: Action, patch: GroupPatch = {}, isMuted = false): Promise<ByRole> {
  const row: string[] = [];
  for (const who of WHO) {
    const groupId = await makeGroup(patch, isMuted);
    const predicted = await predict(cast[who], groupId, action);
    const { envelope } = await ACTIONS[action](cast[who], groupId);
    const actual = envelope.code === 200 ? OK : (envelope.key ?? "no key");
    expect(predicted, `${action} by ${who}: the client's prediction must match the server's answer`).toBe(
      actual,
    );
    row.push(actual);
  }
  return byRole(row);
}

type ByRole = Readonly<Record<string, string | undefined>>;

/** A row of the table with the names of its columns, so that a failing test names them. */
function byRole(row: readonly string[]): ByRole {
  return Object.fromEntries(WHO.map((who, i) => [who, row[i]]));
}

/** The results for owner, admin, member, former member and stranger. */
const TABLE: Record<Action, string[]> = {
  invite: [OK, OK, OK, OUT, HIDDEN],
  editInfo: [OK, OK, NO, OUT, HIDDEN],
  editNotice: [OK, OK, NO, OUT, HIDDEN],
  editAttributes: [OK, OK, NO, OUT, HIDDEN],
  setOwnRemarks: [OK, OK, OK, OUT, HIDDEN],
  changeSettings: [OK, NO, NO, OUT, HIDDEN],
  mute: [OK, OK, NO, OUT, HIDDEN],
  muteAdmin: [OK, OK, NO, OUT, HIDDEN],
  muteOwner: [NO, NO, NO, OUT, HIDDEN],
  muteAll: [OK, OK, NO, OUT, HIDDEN],
  remove: [OK, OK, NO, OUT, HIDDEN],
  removeAdmin: [OK, NO, NO, OUT, HIDDEN],
  removeOwner: [STAYS, STAYS, NO, OUT, HIDDEN],
  addAdmin: [OK, NO, NO, OUT, HIDDEN],
  removeAdminRole: [OK, NO, NO, OUT, HIDDEN],
  transfer: [OK, NO, NO, OUT, HIDDEN],
  quit: [NOT_QUIT, OK, OK, OUT, HIDDEN],
  dissolve: [OK, NO, NO, OUT, HIDDEN],
};
const ALL = Object.entries(TABLE) as [Action, string[]][];

describe("G19 the table of rights, over HTTP and as a client shows it", () => {
  test.each(ALL)("%s by role", async (action, row) => {
    expect(await resultsByRole(action)).toEqual(byRole(row));
  });

  test.each<[Action, GroupPatch]>([
    ["invite", { inviteRole: 2 }],
    ["editInfo", { editRole: 1 }],
    ["editNotice", { editRole: 1 }],
    ["editAttributes", { attrRole: 1 }],
  ])("%s by its setting", async (action, patch) => {
    const member = action === "invite" ? NO : OK;
    expect(await resultsByRole(action, patch)).toEqual(byRole([OK, OK, member, OUT, HIDDEN]));
  });

  test.each<[Action, GroupPatch]>([
    ["editInfo", { inviteRole: 1, attrRole: 1 }],
    ["editAttributes", { inviteRole: 1, editRole: 1 }],
  ])("%s is not allowed by other settings", async (action, patch) => {
    expect((await resultsByRole(action, patch))["member"]).toBe(NO);
  });

  test.each(ALL)("%s under mutes, which refuse only sending", async (action, row) => {
    // To mute everybody or a member again is allowed and changes nothing.
    expect(await resultsByRole(action, { isAllMuted: true }, true)).toEqual(byRole(row));
  });

  test.each(ALL)("%s in a banned group", async (action, row) => {
    const isStillAllowed = ["quit", "setOwnRemarks", "dissolve"].includes(action);
    const banned = [BANNED, BANNED, BANNED, OUT, HIDDEN];
    expect(await resultsByRole(action, { banReason: "spam" })).toEqual(byRole(isStillAllowed ? row : banned));
  });

  test.each(ALL)("%s in a dissolved group", async (action) => {
    expect(await resultsByRole(action, { dissolvedAt: 1 })).toEqual(
      byRole([...Array<string>(4).fill("group.dissolved"), HIDDEN]),
    );
  });
});
