/** The people of a group's call: who is in it, what others see of them, and how signals reach them. */
import { ChatType } from "@parley/protocol/codes";
import type { GroupCallInfo, GroupCallPerson } from "@parley/protocol/entities";
import type { GroupCallSignal } from "@parley/protocol/signal";
import { authorize } from "../../access/group-access.ts";
import { ApiError } from "../../api/api-error.ts";
import type { ChatRef } from "../../delivery/delivery.ts";
import { type CallMemberRow, type GroupCallRow, groupCallKey } from "../../ports/call-store.ts";
import type { GroupMemberRow } from "../../ports/group-store.ts";
import { nameInGroup } from "../../presenters/group-presenter.ts";
import { smallPicture } from "../../presenters/small-picture.ts";
import { type CallChange, groupSignal } from "./call-change.ts";
import { viewUser } from "./call-requests.ts";
import type { CallsReads, CallsTx } from "./calls-store.ts";

/** The types of the signals of calls in groups. */
export type SignalType = GroupCallSignal["type"];

/** A call of a group, and its people. */
export interface OpenCall {
  call: GroupCallRow;
  members: readonly CallMemberRow[];
}

/** The running call of a group. */
export async function findOpen(reads: CallsReads, groupId: number): Promise<OpenCall | undefined> {
  const call = await reads.findCall(groupCallKey(groupId));
  if (call === undefined || call.groupId === null) return undefined;
  return { call, members: await reads.listCallMembers(call.key) };
}

/** Whether somebody is in the call; else it rings for them. */
export const isIn = ({ client }: CallMemberRow) => client !== null;
export const memberOf = (members: readonly CallMemberRow[], userId: number) =>
  members.find((member) => member.userId === userId);
export const without = (members: readonly CallMemberRow[], userIds: readonly number[]) =>
  members.filter(({ userId }) => !userIds.includes(userId));

export const idsOf = (members: readonly CallMemberRow[]) => members.map(({ userId }) => userId);
/** The chat of a group. */
export const chatOf = (groupId: number): ChatRef => ({ type: ChatType.GROUP, targetId: groupId });

const NO_CALL: GroupCallInfo = { isChating: false, host: null, userInfos: [] };

/** The running call of a group as its members see it. */
export async function viewCall(reads: CallsReads, groupId: number): Promise<GroupCallInfo> {
  const open = await findOpen(reads, groupId);
  if (open === undefined) return NO_CALL;
  const userInfos = await viewPeople(reads, groupId, open.members);
  const host = viewUser(await reads.findUser(open.call.hostId));
  return { isChating: true, host, userInfos };
}

/** People in a call as others see them: what clients know of them does not count. */
export async function viewPeople(
  reads: CallsReads,
  groupId: number,
  people: readonly Pick<CallMemberRow, "userId" | "client" | "isCamera" | "isMicroPhone" | "isShareScreen">[],
): Promise<GroupCallPerson[]> {
  const users = await reads.findUsers(people.map(({ userId }) => userId));
  const views: GroupCallPerson[] = [];
  for (const { userId, client, isCamera, isMicroPhone, isShareScreen } of people) {
    const [user, member] = [users.get(userId), await reads.findGroupMember(groupId, userId)];
    if (user === undefined || member === undefined) continue;
    views.push({
      id: userId,
      nickName: nameInGroup(member, user),
      headImage: smallPicture(user),
      isIn: client !== null,
      isCamera,
      isMicroPhone,
      isShareScreen,
    });
  }
  return views;
}

/** The same as the content of a signal. */
export async function peopleContent(...people: Parameters<typeof viewPeople>): Promise<string> {
  return JSON.stringify(await viewPeople(...people));
}

/** Sends to the clients of these people: to the one with which they are in the call, or to all on which it rings. */
export async function tell(
  change: CallChange,
  members: readonly CallMemberRow[],
  type: SignalType,
  from: { sendId: number; groupId: number },
  content = "",
): Promise<void> {
  const signal = groupSignal(type, from, content);
  for (const member of members) {
    if (isIn(member)) await change.toClientOf(member, signal);
    else change.toPerson(member.userId, signal);
  }
}

/** The people of a request who are members of the group, without oneself, each once. Throws if one is no member. */
export async function requireMembers(
  tx: CallsTx,
  groupId: number,
  me: number,
  userInfos: readonly { id: number }[],
): Promise<number[]> {
  const ids = [...new Set(userInfos.map(({ id }) => id))].filter((id) => id !== me);
  for (const id of ids) {
    const member = await tx.findGroupMember(groupId, id);
    if (member === undefined || member.quit) throw new ApiError("group.targetNotMember");
  }
  return ids;
}

/** Throws unless this person may speak in the group. */
export async function requireSpeaker(tx: CallsTx, groupId: number, userId: number): Promise<GroupMemberRow> {
  const group = await tx.findGroup(groupId);
  const me = await tx.findGroupMember(groupId, userId);
  if (group === undefined) throw new ApiError("group.notFound");
  return authorize("speak", group, me);
}
