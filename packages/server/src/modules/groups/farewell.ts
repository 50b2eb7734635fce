/** A person goes for good: groups lose a member, or get another owner; wishes to join are taken back. */
import { GroupRole, MessageType, RequestStatus } from "@parley/protocol/codes";
import type { Delivery } from "../../delivery.ts";
import type { GroupMemberRow, GroupMessageRow } from "../../ports/groups.ts";
import type { Language } from "../../ports/language.ts";
import type { Presence } from "../../ports/presence.ts";
import type { Store, Tx } from "../../ports/store.ts";
import { makeOwner } from "./changing.ts";
import { type RequestOutcome, closeRequest, dissolve } from "./joining.ts";
import { createRequestTelling } from "./request-telling.ts";
import { type GroupChange, createGroupTelling } from "./telling.ts";
import { createTipWriter } from "./tips.ts";

export interface GroupFarewellDeps {
  store: Store;
  presence: Presence;
  delivery: Pick<Delivery, "toUsers" | "toOwnOthers" | "toOthersOf" | "groupChanged">;
  defaultLanguage: Language;
}

export interface GroupFarewell {
  /** Inside the write that closes the account. Answers what tells the others, to be called after the commit. */
  leave(tx: Tx, userId: number, now: number): Promise<() => Promise<void>>;
}

export function createGroupFarewell(deps: GroupFarewellDeps): GroupFarewell {
  const telling = createGroupTelling(deps);
  const requestTelling = createRequestTelling(deps);
  const writeTip = createTipWriter(deps.defaultLanguage);

  /** The group goes to the admin, else the member, who came first; without anybody it ends. */
  const handOver = async (
    tx: Tx,
    groupId: number,
    userId: number,
    now: number,
  ): Promise<{ tips: GroupMessageRow[]; closed: RequestOutcome[] }> => {
    const heir = findHeir(await tx.listGroupMembers(groupId), userId);
    if (heir === undefined) return { tips: [], closed: await dissolve(tx, groupId, now) };
    await makeOwner(tx, heir);
    const by: GroupMemberRow = { ...heir, role: GroupRole.OWNER };
    return { tips: [await writeTip(tx, { by, key: "group.ownerLeft", now })], closed: [] };
  };

  return {
    async leave(tx, userId, now) {
      const changes: GroupChange[] = [];
      const outcomes: RequestOutcome[] = [];
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
        outcomes.push(await closeRequest(tx, request, RequestStatus.RECALLED));
      }
      return async () => {
        for (const change of changes) await telling.changed(change);
        for (const outcome of outcomes) {
          await requestTelling.closed(undefined, outcome, MessageType.GROUP_REQ_REJECT);
        }
      };
    },
  };
}

function findHeir(members: readonly GroupMemberRow[], userId: number): GroupMemberRow | undefined {
  const others = members.filter((member) => !member.quit && member.userId !== userId);
  return others.find((member) => member.role === GroupRole.ADMIN) ?? others[0];
}
