/** How people leave the calls of groups, and how these end. */
import { MessageType } from "@parley/protocol/codes";
import type { TipKey } from "@parley/protocol/tips";
import type { CallMemberRow, GroupCallRow } from "../../ports/call-store.ts";
import type { GroupMessageRow } from "../../ports/group-message-store.ts";
import { nameInGroup } from "../../presenters/group-presenter.ts";
import { tipSentence } from "../../presenters/tip-sentences.ts";
import type { CallChange, CallChangeDeps } from "./call-change.ts";
import { type OpenCall, type SignalType, chatOf, idsOf, isIn, tell, without } from "./group-call-people.ts";

export interface GroupCallEndingsDeps extends Pick<CallChangeDeps, "defaultLanguage"> {
  /** Tells the members that the call of their group has begun or ended. */
  groupChanged(change: { groupId: number; by: number; tips: readonly GroupMessageRow[] }): Promise<void>;
  /** Takes over work that nobody waits for. */
  inBackground(work: Promise<void>): void;
}

/** What takes people out of a call. */
export function createGroupCallEndings({
  defaultLanguage,
  groupChanged,
  inBackground,
}: GroupCallEndingsDeps) {
  /** Stores a tip among the messages of the group, and tells the members of it and of the changed group. */
  const announce = async (
    change: CallChange,
    groupId: number,
    by: number,
    key: Extract<TipKey, "group.callStarted" | "group.callEnded"> | null,
  ): Promise<void> => {
    const tips: GroupMessageRow[] = [];
    const [member, user] = [await change.tx.findGroupMember(groupId, by), await change.tx.findUser(by)];
    if (key !== null && member !== undefined && user !== undefined) {
      const name = nameInGroup(member, user);
      const params: Record<string, string> = key === "group.callStarted" ? { name } : {};
      const { row } = await change.tx.appendGroup({
        tmpId: null,
        type: MessageType.TIP_TEXT,
        groupId,
        sendId: by,
        sendNickName: name,
        sendRole: member.role,
        content: tipSentence(key, defaultLanguage, params),
        sendTime: change.now,
        tip: { key, params },
      });
      tips.push(row);
    }
    change.afterCommit(() => inBackground(groupChanged({ groupId, by, tips })));
  };

  /** Ends a call: frees everybody and tells these people. */
  const end = async (
    change: CallChange,
    { key, groupId }: GroupCallRow,
    receivers: readonly CallMemberRow[],
    by: number,
    isAnnounced = true,
  ): Promise<void> => {
    await tell(change, receivers, MessageType.RTC_GROUP_CANCEL, { sendId: by, groupId });
    await change.tx.deleteCall(key);
    change.stopRinging(idsOf(receivers), chatOf(groupId));
    await announce(change, groupId, by, isAnnounced ? "group.callEnded" : null);
  };

  /** After somebody has left: a call of nobody, or of one person for whom nobody is expected, is over. Returns whether it is. */
  const settle = async (
    change: CallChange,
    call: GroupCallRow,
    members: readonly CallMemberRow[],
    by: number,
  ): Promise<boolean> => {
    const inCall = members.filter(isIn).length;
    const isOver = inCall === 0 || (inCall === 1 && members.length === 1);
    if (isOver) await end(change, call, members, by);
    return isOver;
  };

  /** Takes people out of the call and tells the others. */
  const remove = async (
    change: CallChange,
    { call, members }: OpenCall,
    userIds: readonly number[],
    signal: { type: SignalType; by: number; content?: string },
  ): Promise<readonly CallMemberRow[]> => {
    for (const userId of userIds) await change.tx.deleteCallMember(userId);
    change.stopRinging(userIds, chatOf(call.groupId));
    const rest = without(members, userIds);
    const from = { sendId: signal.by, groupId: call.groupId };
    await tell(change, rest, signal.type, from, signal.content);
    return rest;
  };

  const leave = async (
    change: CallChange,
    open: OpenCall,
    userId: number,
    type: SignalType,
    content = "",
  ): Promise<void> => {
    const rest = await remove(change, open, [userId], { type, by: userId, content });
    await settle(change, open.call, rest, userId);
  };

  return { announce, end, settle, remove, leave };
}
