/** Edits, mutes and transfers groups, and changes their settings. */
import { GroupRole, JoinMode } from "@parley/protocol/codes";
import { claimPictures } from "../../access/claim-pictures.ts";
import { ApiError, refuseIfLimited } from "../../api/api-error.ts";
import type { Handlers } from "../../api/api-call.ts";
import type { GroupMessageRow } from "../../ports/group-message-store.ts";
import type { GroupMemberRow, GroupPatch } from "../../ports/group-store.ts";
import type { GroupsTx } from "./groups-store.ts";
import type { GroupsDeps } from "./groups-deps.ts";
import { changesOf, hasEntries, withoutUndefined } from "./group-changes.ts";
import { authorize } from "../../access/group-access.ts";
import { findCurrentMembers, authorizeMember } from "./authorize.ts";
import { createNotifyGroup } from "./notify-group.ts";
import { createTipWriter, memberNameParams } from "./tip-writer.ts";
import { viewGroup } from "./view-group.ts";

type UpdateGroupHandlers = Pick<Handlers, "modifyGroup" | "setGroupSettings" | "muteGroup" | "transferGroup">;

export function createUpdateGroup(deps: GroupsDeps): UpdateGroupHandlers {
  const { store, rateLimiter, defaultLanguage } = deps;
  const notifyGroup = createNotifyGroup(deps);
  const writeTip = createTipWriter(defaultLanguage);

  /** Writes the tips about a changed name or notice. */
  const writeInfoTips = async (
    tx: GroupsTx,
    by: GroupMemberRow,
    info: GroupPatch,
    now: number,
  ): Promise<GroupMessageRow[]> => {
    const tips: GroupMessageRow[] = [];
    if (info.name !== undefined) {
      tips.push(await writeTip(tx, { by, key: "group.renamed", params: { group: info.name }, now }));
    }
    if (info.notice !== undefined) tips.push(await writeTip(tx, { by, key: "group.noticeChanged", now }));
    return tips;
  };

  return {
    async modifyGroup({ actor, body, now }) {
      refuseIfLimited(await rateLimiter.consume("groupChanges", actor.userId));
      const groupId = body.id;
      const { isForAll, isForMe, tips } = await store.write(async (tx) => {
        const { group, me } = await authorizeMember(tx, groupId, actor.userId, "setOwnRemarks");
        const { preferences, info, attributes } = changesOf(body, group, me);
        if (hasEntries(info)) authorize("editInfo", group, me);
        if (hasEntries(attributes)) authorize("editAttributes", group, me);
        await claimPictures(tx, info);
        await tx.updateGroup(groupId, { ...info, ...attributes });
        await tx.updateGroupMember(groupId, actor.userId, preferences);
        // Everybody sees a member's name in the group, but only the member sees their own name for the group.
        const isForAll =
          hasEntries(info) || hasEntries(attributes) || preferences.remarkNickName !== undefined;
        return { isForAll, isForMe: hasEntries(preferences), tips: await writeInfoTips(tx, me, info, now) };
      });
      if (isForAll) await notifyGroup.groupChanged({ groupId, tips, answeredActor: actor });
      else if (isForMe) await notifyGroup.preferencesChanged(actor, groupId);
      return viewGroup(store, groupId, actor.userId);
    },

    async setGroupSettings({ actor, body }) {
      refuseIfLimited(await rateLimiter.consume("groupChanges", actor.userId));
      const { groupId, joinApproval, ...settings } = body;
      await store.write(async (tx) => {
        const { group } = await authorizeMember(tx, groupId, actor.userId, "changeSettings");
        const joinMode = settings.joinMode ?? joinModeOf(joinApproval, group.joinMode);
        await tx.updateGroup(groupId, withoutUndefined({ ...settings, joinMode }));
      });
      await notifyGroup.groupChanged({ groupId });
      return null;
    },

    async muteGroup({ actor, body, now }) {
      refuseIfLimited(await rateLimiter.consume("groupChanges", actor.userId));
      const { id: groupId, isMuted } = body;
      const tip = await store.write(async (tx) => {
        const { group, me: by } = await authorizeMember(tx, groupId, actor.userId, "muteAll");
        if (group.isAllMuted === isMuted) return undefined;
        await tx.updateGroup(groupId, { isAllMuted: isMuted });
        return writeTip(tx, { by, key: isMuted ? "group.allMuted" : "group.allUnmuted", now });
      });
      if (tip !== undefined) await notifyGroup.groupChanged({ groupId, tips: [tip] });
      return null;
    },

    async transferGroup({ actor, body, now }) {
      refuseIfLimited(await rateLimiter.consume("groupChanges", actor.userId));
      const { groupId, userId } = body;
      const tip = await store.write(async (tx) => {
        const { me: by } = await authorizeMember(tx, groupId, actor.userId, "transfer");
        const [newOwner] = await findCurrentMembers(tx, groupId, [userId]);
        if (newOwner === undefined) throw new ApiError("group.targetNotMember");
        if (userId === actor.userId) return undefined;
        await transferOwnership(tx, newOwner);
        await tx.updateGroupMember(groupId, actor.userId, { role: GroupRole.MEMBER });
        const params = await memberNameParams(tx, [newOwner]);
        return writeTip(tx, { by, key: "group.transferred", params, now });
      });
      if (tip !== undefined) await notifyGroup.groupChanged({ groupId, tips: [tip] });
      return null;
    },
  };
}

/** How people join after an older client, which knows two of the three ways, has chosen one. */
function joinModeOf(joinApproval: boolean | undefined, before: JoinMode): JoinMode | undefined {
  if (joinApproval === undefined) return undefined;
  if (!joinApproval) return JoinMode.FREE;
  return before === JoinMode.FREE ? JoinMode.APPROVAL : before;
}

/** Makes a member the owner. The caller has to change the role of the former owner. An owner is never muted. */
export async function transferOwnership(tx: GroupsTx, { groupId, userId }: GroupMemberRow): Promise<void> {
  await tx.updateGroup(groupId, { ownerId: userId });
  await tx.updateGroupMember(groupId, userId, { role: GroupRole.OWNER, isMuted: false });
}
