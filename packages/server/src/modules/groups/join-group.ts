/** What an invitation or a request to join leads to: new members, or requests that wait for owner and admins. */
import { GroupRole, JoinMode, RequestStatus } from "@parley/protocol/codes";
import type { GroupRequestVO } from "@parley/protocol/entities";
import { PENDING_REQUESTS_MAX } from "@parley/protocol/limits";
import { ApiError } from "../../api/api-error.ts";
import type { Language } from "../../api/language.ts";
import type { UserRow } from "../../ports/account-store.ts";
import type { GroupMessageRow } from "../../ports/group-message-store.ts";
import type { GroupMemberRow, GroupRequestRow, GroupRow } from "../../ports/group-store.ts";
import { joinModeFor } from "../../presenters/group-presenter.ts";
import type { GroupsTx } from "./groups-store.ts";
import { type GroupRequestOutcome, addMembers, storeGroupRequest, viewGroupRequest } from "./membership.ts";
import { createTipWriter, userNameParams } from "./tip-writer.ts";

/** The result of an invitation or a request to join. */
export interface JoinOutcome {
  /** New requests that wait for approval. */
  requested: readonly GroupRequestOutcome[];
  /** Pending requests that were approved by it. */
  settled: readonly GroupRequestOutcome[];
  tips: readonly GroupMessageRow[];
}

const NO_CHANGE: JoinOutcome = { requested: [], settled: [], tips: [] };

/** The writes by which people join. Call them in a transaction, and notify the people after its commit. */
export interface JoinGroup {
  /** Adds people at once. Without an inviter they have asked to join. */
  admit(
    tx: GroupsTx,
    group: GroupRow,
    people: readonly UserRow[],
    now: number,
    inviter?: GroupMemberRow,
  ): Promise<JoinOutcome>;
  /**
   * Adds those of these people who are not members. Asks owner and admins to add them where joining needs approval, and if a moderator has removed
   * them before. An invitation by owner or admin is the approval.
   */
  invite(
    tx: GroupsTx,
    membership: { group: GroupRow; me: GroupMemberRow },
    people: readonly UserRow[],
    now: number,
  ): Promise<JoinOutcome>;
  /** Adds a person who wants to join, or asks owner and admins to add them. Throws where only invited people join. */
  apply(
    tx: GroupsTx,
    target: { group: GroupRow; member: GroupMemberRow | undefined; pending: GroupRequestRow | undefined },
    person: UserRow,
    remark: string,
    now: number,
  ): Promise<JoinOutcome & { vo: GroupRequestVO }>;
}

export function createJoinGroup(defaultLanguage: Language): JoinGroup {
  const writeTip = createTipWriter(defaultLanguage);

  const admit: JoinGroup["admit"] = async (tx, group, people, now, inviter) => {
    const { members, settled } = await addMembers(tx, group, people, now);
    const tips: GroupMessageRow[] = [];
    if (inviter !== undefined) {
      const params = userNameParams(people);
      tips.push(await writeTip(tx, { by: inviter, key: "group.invited", params, now }));
    } else {
      for (const by of members) tips.push(await writeTip(tx, { by, key: "group.joined", now }));
    }
    return { requested: [], settled, tips };
  };

  const invite: JoinGroup["invite"] = async (tx, { group, me }, people, now) => {
    const welcome: UserRow[] = [];
    const requested: GroupRequestOutcome[] = [];
    for (const person of people) {
      const member = await tx.findGroupMember(group.id, person.id);
      if (member?.quit === false) continue;
      const needsApproval = group.joinMode === JoinMode.APPROVAL || member?.wasRemoved === true;
      if (me.role !== GroupRole.MEMBER || !needsApproval) {
        welcome.push(person);
        continue;
      }
      if ((await tx.findPendingGroupRequest(group.id, person.id)) !== undefined) continue;
      const details = {
        groupId: group.id,
        sendId: person.id,
        inviterId: me.userId,
        remark: "",
        applyTime: now,
      };
      requested.push(await storeGroupRequest(tx, details));
    }
    if (welcome.length === 0) return { ...NO_CHANGE, requested };
    return { ...(await admit(tx, group, welcome, now, me)), requested };
  };

  const apply: JoinGroup["apply"] = async (tx, { group, member, pending }, person, remark, now) => {
    const details = { groupId: group.id, sendId: person.id, inviterId: null, remark, applyTime: now };
    const mode = joinModeFor(group, member);
    if (mode !== JoinMode.FREE) {
      if (pending !== undefined) throw new ApiError("group.requestPending");
      if (mode === JoinMode.INVITATION) throw new ApiError("group.cannotJoin");
      if ((await tx.countPendingGroupRequests(person.id)) >= PENDING_REQUESTS_MAX) {
        throw new ApiError("group.requestsFull");
      }
      const requested = await storeGroupRequest(tx, details);
      return { ...NO_CHANGE, requested: [requested], vo: requested.vo };
    }
    const status = RequestStatus.APPROVED;
    const request = pending ?? (await tx.insertGroupRequest({ ...details, status }));
    const outcome = await admit(tx, group, [person], now);
    return { ...outcome, vo: await viewGroupRequest(tx, { ...request, status }) };
  };

  return { admit, invite, apply };
}
