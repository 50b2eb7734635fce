/** Mutes and promotes members of a group. */
import { GroupRole } from "@parley/protocol/codes";
import type { TipKey } from "@parley/protocol/tips";
import { ApiError, refuseIfLimited } from "../../api/api-error.ts";
import type { Actor, Handlers } from "../../api/api-call.ts";
import type { GroupMessageRow } from "../../ports/group-message-store.ts";
import type { GroupMemberPatch, GroupMemberRow } from "../../ports/group-store.ts";
import type { GroupsDeps } from "./groups-deps.ts";
import { authorize } from "../../access/group-access.ts";
import { findCurrentMembers, authorizeMember } from "./authorize.ts";
import { createNotifyGroup } from "./notify-group.ts";
import { createTipWriter, memberNameParams } from "./tip-writer.ts";

type ManageMembersHandlers = Pick<Handlers, "muteGroupMembers" | "addGroupManagers" | "removeGroupManagers">;

/** A change of members. `isDone` is true for a member who does not need it. */
interface MemberChange {
  action: "mute" | "manageAdmins";
  patch: GroupMemberPatch;
  isDone(member: GroupMemberRow): boolean;
  tip: TipKey;
}

export function createManageMembers(deps: GroupsDeps): ManageMembersHandlers {
  const { store, rateLimiter, defaultLanguage } = deps;
  const notifyGroup = createNotifyGroup(deps);
  const writeTip = createTipWriter(defaultLanguage);

  /** Changes those of the members who need it. Returns their ids, and the tip if there are any. */
  const change = async (
    { userId }: Actor,
    { groupId, userIds }: { groupId: number; userIds: readonly number[] },
    now: number,
    { action, patch, isDone, tip }: MemberChange,
  ): Promise<{ changedIds: number[]; tips: GroupMessageRow[] }> => {
    refuseIfLimited(await rateLimiter.consume("groupChanges", userId));
    return store.write(async (tx) => {
      const { group, me: by } = await authorizeMember(tx, groupId, userId, action);
      const targets = await findCurrentMembers(tx, groupId, userIds);
      for (const target of targets) {
        authorize(action, group, by, target);
        if (target.role === GroupRole.OWNER) throw new ApiError("group.noRight");
      }
      const changed = targets.filter((target) => !isDone(target));
      if (changed.length === 0) return { changedIds: [], tips: [] };
      for (const target of changed) await tx.updateGroupMember(groupId, target.userId, patch);
      const params = await memberNameParams(tx, changed);
      const tips = [await writeTip(tx, { by, key: tip, params, now })];
      return { changedIds: changed.map((target) => target.userId), tips };
    });
  };

  const setRole = async (
    actor: Actor,
    body: { groupId: number; userIds: number[] },
    now: number,
    role: GroupRole,
  ): Promise<null> => {
    const { tips } = await change(actor, body, now, {
      action: "manageAdmins",
      patch: { role },
      isDone: (member) => member.role === role,
      tip: role === GroupRole.ADMIN ? "group.adminAdded" : "group.adminRemoved",
    });
    if (tips.length > 0) await notifyGroup.groupChanged({ groupId: body.groupId, tips });
    return null;
  };

  return {
    async muteGroupMembers({ actor, body, now }) {
      const { changedIds, tips } = await change(actor, body, now, {
        action: "mute",
        patch: { isMuted: body.isMuted },
        isDone: (member) => member.isMuted === body.isMuted,
        tip: body.isMuted ? "group.muted" : "group.unmuted",
      });
      if (tips.length > 0)
        await notifyGroup.groupChanged({ groupId: body.groupId, tips, recipientIds: changedIds });
      return null;
    },

    addGroupManagers: ({ actor, body, now }) => setRole(actor, body, now, GroupRole.ADMIN),

    removeGroupManagers: ({ actor, body, now }) => setRole(actor, body, now, GroupRole.MEMBER),
  };
}
