/** People with secrets, and people who know the numbers of everything but have no business there. */
import { sendAdminCommand } from "../../admin-socket.ts";
import type { TestApp } from "../test-app.ts";
import { type TestPerson, registerPerson, makeGroup, sendText } from "../test-person.ts";
import type { TestSocket } from "../test-socket.ts";

/** `muted`: a member who may not speak. `otherAdmin`: owns a group of another number. */
export type Role = "stranger" | "exMember" | "otherAdmin" | "muted";
export const ROLES: readonly Role[] = ["stranger", "exMember", "otherAdmin", "muted"];
/** Those who are not in the group now. */
export const OUTSIDERS: readonly Role[] = ["stranger", "exMember", "otherAdmin"];

/** Words in what nobody of `OUTSIDE` may read; the longer ones are for two people alone. */
export const SECRET = "canary";
const PRIVATE_SECRET = "private-canary";

export interface AttackScenario {
  server: TestApp;
  attackers: Readonly<Record<Role, TestPerson>>;
  owner: TestPerson;
  /** A friend of the owner; none of the attackers is hers. */
  member: TestPerson;
  admin: TestPerson;
  /** Asks for the owner's friendship and to join the group. */
  applicant: TestPerson;
  groupId: number;
  otherGroupId: number;
  /** The member's, with receipts; the owner's. Both written after the ex-member was removed. */
  memberSaid: number;
  ownerSaid: number;
  /** Of the private chat. */
  ownerWrote: number;
  memberWrote: number;
  groupRequestId: number;
  friendRequestId: number;
  noticeId: number;
  sessionId: string;
  sockets: readonly TestSocket[];
}

export async function createAttackScenario(server: TestApp): Promise<AttackScenario> {
  const { url } = server;
  const [owner, member, admin, applicant] = [
    await registerPerson(url),
    await registerPerson(url),
    await registerPerson(url),
    await registerPerson(url),
  ];
  const [stranger, exMember, otherAdmin, muted] = [
    await registerPerson(url),
    await registerPerson(url),
    await registerPerson(url),
    await registerPerson(url),
  ];
  const groupId = await makeGroup(owner, [member, admin, exMember, muted], "Open name");
  const otherGroupId = await makeGroup(otherAdmin, [await registerPerson(url)], "Other name");
  await owner.ok("addGroupManagers", { body: { groupId, userIds: [admin.id] } });
  await owner.ok("setGroupSettings", {
    body: { groupId, inviteRole: 2, editRole: 2, attrRole: 2, joinApproval: true },
  });
  await sayIn(member, groupId, "early words");
  await owner.ok("removeGroupMembers", { body: { groupId, userIds: [exMember.id] } });
  await owner.ok("muteGroupMembers", { body: { groupId, userIds: [muted.id], isMuted: true } });
  await owner.ok("modifyGroup", {
    body: { id: groupId, notice: `${SECRET} notice`, attributes: { key: SECRET } },
  });
  const memberSaid = await sayIn(member, groupId, `${SECRET} of the group`, true);
  const ownerSaid = await sayIn(owner, groupId, `${SECRET} of its owner`);
  const groupRequest = await applicant.ok("applyGroup", { body: { groupId, remark: PRIVATE_SECRET } });
  const friendRequest = await applicant.ok("applyFriend", {
    body: { friendId: owner.id, remark: PRIVATE_SECRET },
  });
  await owner.ok("updateUser", {
    body: { id: owner.id, mobile: "13800138000", email: `${PRIVATE_SECRET}@example.org` },
  });
  const { id: ownerWrote } = await sendText(owner, member, `${PRIVATE_SECRET} to her`);
  const { id: memberWrote } = await sendText(member, owner, `${PRIVATE_SECRET} to him`);
  const sockets = [await owner.connect(), await member.connect(), await admin.connect()];
  await sendAdminCommand(server.dataDir, {
    name: "notice",
    title: PRIVATE_SECRET,
    text: PRIVATE_SECRET,
    html: null,
    link: null,
    to: [owner.userName],
  });
  const notice = await sockets[0]?.nextOf(53);
  const [session] = await owner.ok("listSessions");
  for (const socket of sockets) await socket.flush();
  return {
    server,
    attackers: { stranger, exMember, otherAdmin, muted },
    owner,
    member,
    admin,
    applicant,
    groupId,
    otherGroupId,
    memberSaid,
    ownerSaid,
    ownerWrote,
    memberWrote,
    groupRequestId: groupRequest.id,
    friendRequestId: friendRequest.id,
    noticeId: notice?.data?.id ?? 0,
    sessionId: session?.id ?? "",
    sockets,
  };
}

async function sayIn(from: TestPerson, groupId: number, content: string, receipt = false): Promise<number> {
  const { id } = await from.ok("sendGroupMessage", { body: { groupId, type: 0, content, receipt } });
  return id;
}

/** Words that no answer to this one may hold. */
export function secretHiddenFrom(role: Role): string {
  return role === "muted" ? PRIVATE_SECRET : SECRET;
}

/** All that the people of the world see, and all that they have been told over their sockets. */
export async function observe(scenario: AttackScenario): Promise<string[]> {
  const { groupId, owner, member, admin, applicant } = scenario;
  const seen: unknown[] = [];
  for (const [person, friend] of [
    [owner, member],
    [member, owner],
  ] as const) {
    seen.push(
      await person.ok("self"),
      await person.ok("listFriends"),
      await person.ok("listFriendRequests"),
      await person.ok("listBlacklist"),
      await person.ok("listSessions"),
      await person.ok("listGroups"),
      await person.ok("listGroupMembers", { params: { id: groupId } }),
      await person.ok("listGroupRequests"),
      await person.ok("privateHistory", { query: { friendId: friend.id } }),
      await person.ok("groupHistory", { query: { groupId } }),
      await person.ok("maxReadedId", { query: { friendId: friend.id } }),
      await person.ok("loadChanges", { query: {} }),
    );
  }
  seen.push(
    await member.ok("findReadedUsers", { query: { groupId, messageId: scenario.memberSaid } }),
    await owner.ok("systemContent", { query: { id: scenario.noticeId } }),
    await admin.ok("listGroups"),
    await applicant.ok("listFriendRequests"),
    await applicant.ok("listGroupRequests"),
  );
  for (const socket of scenario.sockets) seen.push(await socket.flush());
  return seen.map((each) => JSON.stringify(each));
}
