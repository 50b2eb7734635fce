/** What the deletion of an account does to groups: they lose a member or get another owner, and requests to join are recalled. */
import { GroupRole, MessageType, RequestStatus } from "@parley/protocol/codes";
import type { Delivery } from "../../delivery/delivery.ts";
import type { Language } from "../../api/language.ts";
import type { GroupMessageRow } from "../../ports/group-message-store.ts";
import type { GroupMemberRow } from "../../ports/group-store.ts";
import type { Presence } from "../../ports/presence.ts";
import type { GroupsStore, GroupsTx } from "./groups-store.ts";
import { transferOwnership } from "./update-group.ts";
import { type GroupRequestOutcome, closeGroupRequest, dissolveGroup } from "./membership.ts";
import { createNotifyGroupRequests } from "./notify-group-requests.ts";
import { type GroupChange, createNotifyGroup } from "./notify-group.ts";
import { createTipWriter } from "./tip-writer.ts";

export interface DeleteAccountMembershipsDeps {
  store: GroupsStore;
  presence: Presence;
  delivery: Pick<Delivery, "toUsers" | "toOwnOthers" | "toOthersOf" | "invalidateGroup" | "webPush">;
  defaultLanguage: Language;
}

/** Ends the memberships of an account that is closed. */
export interface DeleteAccountMemberships {
  /** Call this inside the write that closes the account. Returns a function that notifies the others after the commit. */
  deleteMemberships(tx: GroupsTx, userId: number, now: number): Promise<() => Promise<void>>;
}

export function createDeleteAccountMemberships(deps: DeleteAccountMembershipsDeps): DeleteAccountMemberships {
  const notifyGroup = createNotifyGroup(deps);
  const notifyRequests = createNotifyGroupRequests(deps);
  const writeTip = createTipWriter(deps.defaultLanguage);

  /** Makes the first admin, or else the first member, the owner. Without other members the group is dissolved. */
  const handOver = async (
    tx: GroupsTx,
    groupId: number,
    userId: number,
    now: number,
  ): Promise<{ tips: GroupMessageRow[]; closed: GroupRequestOutcome[] }> => {
    const newOwner = findNewOwner(await tx.listGroupMembers(groupId), userId);
    if (newOwner === undefined) return { tips: [], closed: await dissolveGroup(tx, groupId, now) };
    await transferOwnership(tx, newOwner);
    const by: GroupMemberRow = { ...newOwner, role: GroupRole.OWNER };
    return { tips: [await writeTip(tx, { by, key: "group.ownerLeft", now })], closed: [] };
  };

  return {
    async deleteMemberships(tx, userId, now) {
      const changes: GroupChange[] = [];
      const outcomes: GroupRequestOutcome[] = [];
      for (const { groupId, role, quit } of await tx.listMembershipsOf(userId)) {
        const group = await tx.findGroup(groupId);
        if (quit || group === undefined || group.dissolvedAt !== null) continue;
        await tx.endGroupStay(groupId, userId);
        if (role !== GroupRole.OWNER) {
          changes.push({ groupId, by: userId });
          continue;
        }
        const { tips, closed } = await handOver(tx, groupId, userId, now);
        changes.push({ groupId, tips });
        outcomes.push(...closed);
      }
      for (const request of await tx.listPendingGroupRequestsAbout(userId)) {
        outcomes.push(await closeGroupRequest(tx, request, RequestStatus.RECALLED));
      }
      return async () => {
        for (const change of changes) await notifyGroup.groupChanged(change);
        for (const outcome of outcomes) {
          await notifyRequests.requestClosed(undefined, outcome, MessageType.GROUP_REQ_REJECT);
        }
      };
    },
  };
}

function findNewOwner(members: readonly GroupMemberRow[], userId: number): GroupMemberRow | undefined {
  const others = members.filter((member) => !member.quit && member.userId !== userId);
  return others.find((member) => member.role === GroupRole.ADMIN) ?? others[0];
}
