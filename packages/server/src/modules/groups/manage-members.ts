/** Removes, mutes and promotes members of a group, and lets them leave. */
import { GroupRole } from "@parley/protocol/codes";
import type { TipKey } from "@parley/protocol/tips";
import { ApiError } from "../../calls/api-error.ts";
import type { Actor, Handlers } from "../../calls/call.ts";
import type { GroupMessageRow } from "../../ports/group-message-store.ts";
import type { GroupMemberPatch, GroupMemberRow } from "../../ports/group-store.ts";
import type { GroupsDeps } from "./groups-deps.ts";
import { authorize } from "../../access/group-access.ts";
import { findCurrentMembers, authorizeMember } from "./authorize.ts";
import { type RemovedMessages, createNotifyGroup } from "./notify-group.ts";
import { createTipWriter, memberNameParams } from "./tip-writer.ts";

type ManageMembersHandlers = Pick<
  Handlers,
  "removeGroupMembers" | "muteGroupMembers" | "addGroupManagers" | "removeGroupManagers" | "quitGroup"
>;

/** A change of members. `isDone` is true for a member who does not need it. */
interface MemberChange {
  action: "mute" | "manageAdmins";
  patch: GroupMemberPatch;
  isDone(member: GroupMemberRow): boolean;
  tip: TipKey;
}

export interface ManageMembersDeps extends GroupsDeps {
  /** Deletes soon the files that no message, account or group keeps any more. */
  deleteReleasedFiles(): void;
}

export function createManageMembers(deps: ManageMembersDeps): ManageMembersHandlers {
  const { store, defaultLanguage, deleteReleasedFiles } = deps;
  const notifyGroup = createNotifyGroup(deps);
  const writeTip = createTipWriter(defaultLanguage);

  /** Changes those of the members who need it. Returns their ids, and the tip if there are any. */
  const change = async (
    { userId }: Actor,
    { groupId, userIds }: { groupId: number; userIds: readonly number[] },
    now: number,
    { action, patch, isDone, tip }: MemberChange,
  ): Promise<{ changedIds: number[]; tips: GroupMessageRow[] }> =>
    store.write(async (tx) => {
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
    async removeGroupMembers({ actor, body, now }) {
      const { groupId, userIds } = body;
      const { removedIds, removedMessages, tips } = await store.write(async (tx) => {
        const { group, me: by } = await authorizeMember(tx, groupId, actor.userId, "remove");
        const removedIds: number[] = [];
        const removedMessages: RemovedMessages[] = [];
        const tips: GroupMessageRow[] = [];
        for (const target of await findCurrentMembers(tx, groupId, userIds)) {
          authorize("remove", group, by, target);
          const onlyFor = target.userId;
          tips.push(await writeTip(tx, { by, isNamed: false, key: "group.removed", now, onlyFor }));
          // End the stay after the tip, so that the tip lies within it.
          await tx.endGroupStay(groupId, target.userId);
          if (body.deleteMessages === true) {
            removedMessages.push({
              userId: target.userId,
              upTo: await tx.removeMessagesOfMember(groupId, target.userId),
            });
          }
          removedIds.push(target.userId);
        }
        return { removedIds, removedMessages, tips };
      });
      if (removedIds.length === 0) return null;
      if (removedMessages.length > 0) deleteReleasedFiles();
      await notifyGroup.groupChanged({ groupId, tips });
      notifyGroup.membersLeft(groupId, removedIds, actor.userId);
      if (removedMessages.length > 0)
        await notifyGroup.messagesRemoved(groupId, removedMessages, actor.userId);
      return null;
    },

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

    async quitGroup({ actor, params }) {
      await store.write(async (tx) => {
        await authorizeMember(tx, params.id, actor.userId, "quit");
        await tx.endGroupStay(params.id, actor.userId);
      });
      await notifyGroup.groupChanged({ groupId: params.id, by: actor.userId });
      notifyGroup.membersLeft(params.id, [actor.userId], actor.userId);
      return null;
    },
  };
}
