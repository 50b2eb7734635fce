/** How people leave the calls of groups, and how these end. */
import { MessageType } from "@parley/protocol/codes";
import type { CallMemberRow, GroupCallRow } from "../../ports/call-store.ts";
import type { CallChange } from "./call-change.ts";
import { type OpenCall, type SignalType, chatOf, idsOf, isIn, tell, without } from "./group-call-people.ts";

/** Ends a call: frees everybody and tells these people. */
export async function end(
  change: CallChange,
  { key, groupId }: GroupCallRow,
  receivers: readonly CallMemberRow[],
  by: number,
  isAnnounced = true,
): Promise<void> {
  await tell(change, receivers, MessageType.RTC_GROUP_CANCEL, { sendId: by, groupId });
  await change.tx.deleteCall(key);
  change.stopRinging(idsOf(receivers), chatOf(groupId));
  await change.announce(groupId, by, isAnnounced ? "group.callEnded" : null);
}

/** After somebody has left: a call of nobody, or of one person for whom nobody is expected, is over. Returns whether it is. */
export async function settle(
  change: CallChange,
  call: GroupCallRow,
  members: readonly CallMemberRow[],
  by: number,
): Promise<boolean> {
  const inCall = members.filter(isIn).length;
  const isOver = inCall === 0 || (inCall === 1 && members.length === 1);
  if (isOver) await end(change, call, members, by);
  return isOver;
}

/** Takes people out of the call and tells the others. */
export async function remove(
  change: CallChange,
  { call, members }: OpenCall,
  userIds: readonly number[],
  signal: { type: SignalType; by: number; content?: string },
): Promise<readonly CallMemberRow[]> {
  for (const userId of userIds) await change.tx.deleteCallMember(userId);
  change.stopRinging(userIds, chatOf(call.groupId));
  const rest = without(members, userIds);
  const from = { sendId: signal.by, groupId: call.groupId };
  await tell(change, rest, signal.type, from, signal.content);
  return rest;
}

/** Takes a person out of the call, and ends it if nobody is left to talk to. */
export async function leave(
  change: CallChange,
  open: OpenCall,
  userId: number,
  type: SignalType,
  content = "",
): Promise<void> {
  const rest = await remove(change, open, [userId], { type, by: userId, content });
  await settle(change, open.call, rest, userId);
}
