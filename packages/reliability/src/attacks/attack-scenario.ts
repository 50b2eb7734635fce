/** People with secrets, and attackers who know the ids of everything but have no right to any of it. */
import { sendAdminCommand } from "@parley/server/runtime/admin-socket";
import type { TestApp } from "@parley/server/testing/test-app";
import { type TestPerson, registerPerson, makeGroup, sendText } from "@parley/server/testing/test-person";
import type { TestSocket } from "@parley/server/testing/test-socket";

/** The kinds of attackers. `muted`: a member who may not write. `otherAdmin`: the owner of another group. */
export type Role = "stranger" | "exMember" | "otherAdmin" | "muted";
/** All roles, in the order in which they attack. */
export const ROLES: readonly Role[] = ["stranger", "exMember", "otherAdmin", "muted"];
/** The roles that are not in the group now. */
export const OUTSIDERS: readonly Role[] = ["stranger", "exMember", "otherAdmin"];

/** A text in everything that no role of `OUTSIDERS` may read. `PRIVATE_SECRET` is in what concerns only two people. */
export const SECRET = "sentinel";
const PRIVATE_SECRET = "private-sentinel";

/** The people, and the ids of everything that the attackers must not reach. */
export interface AttackScenario {
  server: TestApp;
  attackers: Readonly<Record<Role, TestPerson>>;
  owner: TestPerson;
  /** A friend of the owner. No attacker is her friend. */
  member: TestPerson;
  admin: TestPerson;
  /** Has asked for the owner's friendship and to join the group. */
  applicant: TestPerson;
  /** Has nothing to do with anybody, and is found by nothing. */
  hidden: TestPerson;
  groupId: number;
  otherGroupId: number;
  /** Group messages, both written after the ex-member was removed. The member's has receipts: the admin has read it. */
  memberGroupMessageId: number;
  ownerGroupMessageId: number;
  /** Messages of the private chat of owner and member. */
  ownerPrivateMessageId: number;
  memberPrivateMessageId: number;
  /** A poll of the owner in the group, in which the member has voted. */
  groupPollId: number;
  /** A sign-up list of the owner in the group, with a line of the owner. */
  groupListId: number;
  groupRequestId: number;
  friendRequestId: number;
  noticeId: number;
  sessionId: string;
  sockets: readonly TestSocket[];
}

/** Registers everybody and creates the objects that are attacked. */
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
  await sendGroupText(member, groupId, "early words");
  await owner.ok("removeGroupMembers", { body: { groupId, userIds: [exMember.id] } });
  await owner.ok("muteGroupMembers", { body: { groupId, userIds: [muted.id], isMuted: true } });
  await owner.ok("modifyGroup", {
    body: { id: groupId, notice: `${SECRET} notice`, attributes: { key: SECRET } },
  });
  const memberGroupMessageId = await sendGroupText(member, groupId, `${SECRET} of the group`, true);
  const ownerGroupMessageId = await sendGroupText(owner, groupId, `${SECRET} of its owner`);
  await admin.ok("readGroupMessages", { query: { groupId, messageId: memberGroupMessageId } });
  const groupRequest = await applicant.ok("applyGroup", { body: { groupId, remark: PRIVATE_SECRET } });
  // Strangers learn nothing of it from now on. The applicant has found it before.
  await owner.ok("setGroupSettings", { body: { groupId, isFindable: false } });
  const hidden = await registerPerson(url);
  await hidden.ok("setFindableBy", { query: { by: 3 } });
  const friendRequest = await applicant.ok("applyFriend", {
    body: { friendId: owner.id, remark: PRIVATE_SECRET },
  });
  await owner.ok("updateUser", {
    body: { id: owner.id, mobile: "13800138000", email: `${PRIVATE_SECRET}@example.org` },
  });
  const { id: ownerPrivateMessageId } = await sendText(owner, member, `${PRIVATE_SECRET} to her`);
  const { id: memberPrivateMessageId } = await sendText(member, owner, `${PRIVATE_SECRET} to him`);
  for (const id of [memberGroupMessageId, ownerPrivateMessageId, memberPrivateMessageId])
    await owner.ok("setReaction", { body: { id, key: "👍", on: true } });
  // Others than those with a reaction: a second act on a message is told a moment later.
  const { id: pinnedMessageId } = await sendText(owner, member, `${PRIVATE_SECRET} pinned`);
  for (const id of [ownerGroupMessageId, pinnedMessageId])
    await owner.ok("setPin", { body: { id, on: true } });
  const lunch = {
    options: [`${SECRET} noodles`, "rice"],
    max: 1,
    secret: false,
    hidden: false,
    addable: true,
  };
  const { id: groupPollId } = await owner.ok("sendGroupMessage", {
    body: { groupId, type: 0, content: `${SECRET} lunch`, poll: lunch },
  });
  await member.ok("setVotes", { body: { id: groupPollId, options: [1] } });
  const cake = { kind: "signUp", options: [`${SECRET} 2`], max: 1, secret: false, hidden: false } as const;
  const { id: groupListId } = await owner.ok("sendGroupMessage", {
    body: { groupId, type: 0, content: `${SECRET} cake`, poll: { ...cake, options: [...cake.options] } },
  });
  const sockets = [
    await owner.connect({ caps: ["extras", "typing"] }),
    await member.connect({ caps: ["extras", "typing"] }),
    await admin.connect({ caps: ["extras", "typing"] }),
  ];
  await owner.ok("setupPrivateCall", { query: { uid: member.id, mode: "video" } });
  await member.ok("acceptPrivateCall", { query: { uid: owner.id } });
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
    hidden,
    groupId,
    otherGroupId,
    memberGroupMessageId,
    ownerGroupMessageId,
    ownerPrivateMessageId,
    memberPrivateMessageId,
    groupPollId,
    groupListId,
    groupRequestId: groupRequest.id,
    friendRequestId: friendRequest.id,
    noticeId: notice?.data?.id ?? 0,
    sessionId: session?.id ?? "",
    sockets,
  };
}

async function sendGroupText(
  from: TestPerson,
  groupId: number,
  content: string,
  receipt = false,
): Promise<number> {
  const { id } = await from.ok("sendGroupMessage", { body: { groupId, type: 0, content, receipt } });
  return id;
}

/** The text that no answer to this role may contain. */
export function secretHiddenFrom(role: Role): string {
  return role === "muted" ? PRIVATE_SECRET : SECRET;
}

/** Everything that the people of the scenario can read, and every frame that their sockets have received. */
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
      await person.ok("loadFirstChats", { query: { n: 50 } }),
    );
  }
  seen.push(
    await member.ok("findReadedUsers", { query: { groupId, messageId: scenario.memberGroupMessageId } }),
    await owner.ok("systemContent", { query: { id: scenario.noticeId } }),
    await admin.ok("listGroups"),
    await applicant.ok("listFriendRequests"),
    await applicant.ok("listGroupRequests"),
  );
  for (const socket of scenario.sockets) seen.push(await socket.flush());
  return seen.map((each) => JSON.stringify(each));
}
