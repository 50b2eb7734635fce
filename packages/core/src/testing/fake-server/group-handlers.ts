import { Cmd, GroupRole, JoinMode, MessageType } from "@parley/protocol/codes";
import type { TipKey } from "@parley/protocol/tips";
import { createGroupRequestHandlers } from "./group-request-handlers.ts";
import {
  createGroupNotifier,
  requireGroup,
  invitees,
  authorizeGroupAction,
  groupPushFor,
  requireMembership,
} from "./group-access.ts";
import type { GroupRow, MemberRow } from "./group-rows.ts";
import {
  appendTip,
  groupVOFor,
  joinGroup,
  leaveGroup,
  membersIn,
  membersSeenBy,
  findMember,
  memberVOFor,
  newestGroupId,
} from "./group-tables.ts";
import type { HandlerDeps, Handlers } from "./handlers.ts";
import { ApiError } from "./api-error.ts";
import type { Actor } from "./fake-gateway.ts";

/** Creates the handlers of groups and members, which follow the real server. Group messages are in `group-message-handlers.ts`. */
export function createGroupHandlers(deps: HandlerDeps): Handlers {
  const { tables, gateway, hasFault } = deps;
  const notifier = createGroupNotifier(deps);
  const requests = createGroupRequestHandlers({ ...deps, notifier });
  const card = (id: number) => {
    const group = requireGroup(tables, id);
    if (!group.isFindable) throw new ApiError("group.notFound");
    const { name, joinMode } = group;
    return { id, name, headImage: null, headImageThumb: null, membersCount: 0, joinMode };
  };
  const view = (groupId: number, userId: number) => {
    const member = findMember(tables, groupId, userId);
    if (member === undefined) throw new ApiError("group.notFound");
    return groupVOFor(tables, requireGroup(tables, groupId), member);
  };

  function changeMembers(
    actor: Actor,
    { groupId, userIds }: { groupId: number; userIds: readonly number[] },
    action: "mute" | "manageAdmins",
    part: Partial<MemberRow>,
    tipKey: TipKey,
  ): null {
    const { group, me } = requireMembership(tables, groupId, actor.userId, action);
    const targets = membersIn(tables, groupId).filter(({ userId }) => userIds.includes(userId));
    for (const target of targets) {
      authorizeGroupAction(action, group, me, target);
      if (target.role === GroupRole.OWNER) throw new ApiError("group.noRight");
    }
    const changed = targets.filter((target) => !hasValues(target, part));
    if (changed.length === 0) return null;
    for (const target of changed) Object.assign(target, part);
    const readers = changed.map(({ userId }) => userId);
    const tips = [appendTip(tables, groupId, actor.userId, tipKey, { names: readers })];
    notifier.notifyChanged({ groupId, tips, ...(action === "mute" && { readers }) });
    return null;
  }

  function changeOwnMembership(actor: Actor, groupId: number, part: Partial<MemberRow>): null {
    requireGroup(tables, groupId);
    const me = findMember(tables, groupId, actor.userId);
    if (me === undefined || me.quit) throw new ApiError("group.notMember");
    Object.assign(me, part);
    gateway.toOwnOthers(actor, { cmd: Cmd.GROUP, data: groupPushFor(tables, me) });
    return null;
  }

  return {
    ...requests.handlers,
    listGroups: ({ actor }) =>
      tables.groups.members
        .filter(({ userId }) => userId === actor.userId)
        .map(({ groupId }) => view(groupId, actor.userId)),
    findGroup({ actor, params }) {
      if (findMember(tables, params.id, actor.userId) !== undefined) return view(params.id, actor.userId);
      if (requireGroup(tables, params.id).isDissolved) throw new ApiError("group.notFound");
      return card(params.id);
    },
    listGroupMembers({ actor, params }) {
      requireGroup(tables, params.id);
      if (findMember(tables, params.id, actor.userId) === undefined) throw new ApiError("group.notFound");
      return membersSeenBy(tables, params.id, actor.userId).map((member) =>
        memberVOFor(tables, member, gateway.isOnline(member.userId)),
      );
    },
    createGroup({ actor, body }) {
      const created = tables.groups.creations.find(
        (row) => row.creatorId === actor.userId && row.tmpId === body.tmpId,
      );
      if (created !== undefined) return view(created.groupId, actor.userId);
      const invitedIds = invitees(tables, actor.userId, body.memberIds ?? []);
      const group: GroupRow = {
        id: tables.groups.groups.length + 1,
        name: body.name,
        ownerId: actor.userId,
        notice: null,
        isAllMuted: false,
        inviteRole: 1,
        editRole: 2,
        attrRole: 2,
        // Scenarios are about how clients agree, so their groups are open unless one says otherwise.
        joinMode: body.joinMode ?? JoinMode.FREE,
        isFindable: body.isFindable ?? true,
        attributes: {},
        banReason: null,
        isDissolved: false,
      };
      tables.groups.groups.push(group);
      if (body.tmpId)
        tables.groups.creations.push({ creatorId: actor.userId, tmpId: body.tmpId, groupId: group.id });
      joinGroup(tables, group.id, actor.userId, GroupRole.OWNER);
      for (const userId of invitedIds) joinGroup(tables, group.id, userId, GroupRole.MEMBER);
      const appendInvitedTip = () =>
        appendTip(tables, group.id, actor.userId, "group.invited", { names: invitedIds });
      const tips = invitedIds.length === 0 ? [] : [appendInvitedTip()];
      notifier.notifyChanged({ groupId: group.id, tips, actor });
      return view(group.id, actor.userId);
    },
    modifyGroup({ actor, body }) {
      const { id: groupId, remarkGroupName, remarkNickName, name, notice, attributes } = body;
      const { group, me } = requireMembership(tables, groupId, actor.userId, "setOwnRemarks");
      const notes = changedFields({ remarkGroupName, remarkNickName }, me);
      const info = changedFields({ name, notice }, group);
      if (Object.keys(info).length > 0) authorizeGroupAction("editInfo", group, me);
      if (attributes) authorizeGroupAction("editAttributes", group, me);
      Object.assign(group, info, attributes ? { attributes } : {});
      Object.assign(me, notes);
      const tips = [
        ...("name" in info ? [appendTip(tables, groupId, actor.userId, "group.renamed")] : []),
        ...("notice" in info ? [appendTip(tables, groupId, actor.userId, "group.noticeChanged")] : []),
      ];
      const isForAll = Object.keys(info).length > 0 || attributes || "remarkNickName" in notes;
      if (isForAll) notifier.notifyChanged({ groupId, tips, actor });
      else gateway.toOwnOthers(actor, { cmd: Cmd.GROUP, data: groupPushFor(tables, me) });
      return view(groupId, actor.userId);
    },
    setGroupSettings({ actor, body }) {
      const { groupId, joinApproval: _, ...settings } = body;
      const { group } = requireMembership(tables, groupId, actor.userId, "changeSettings");
      Object.assign(group, settings);
      notifier.notifyChanged({ groupId });
      return null;
    },
    removeGroupMembers({ actor, body }) {
      const { groupId, userIds, deleteMessages } = body;
      const { group, me } = requireMembership(tables, groupId, actor.userId, "remove");
      const targets = membersIn(tables, groupId).filter(({ userId }) => userIds.includes(userId));
      for (const target of targets) authorizeGroupAction("remove", group, me, target);
      const tips = targets.map(({ userId }) => {
        const tip = appendTip(tables, groupId, actor.userId, "group.removed", { onlyFor: userId });
        leaveGroup(tables, groupId, userId, true);
        return tip;
      });
      if (targets.length === 0) return null;
      notifier.notifyChanged({ groupId, tips });
      const removedIds = targets.map(({ userId }) => userId);
      notifier.notifyLeft(groupId, removedIds);
      if (deleteMessages === true) for (const userId of removedIds) removeMessagesOf(groupId, userId);
      return null;
    },
    muteGroupMembers: ({ actor, body }) =>
      changeMembers(
        actor,
        body,
        "mute",
        { isMuted: body.isMuted },
        body.isMuted ? "group.muted" : "group.unmuted",
      ),
    addGroupManagers: ({ actor, body }) =>
      changeMembers(actor, body, "manageAdmins", { role: GroupRole.ADMIN }, "group.adminAdded"),
    removeGroupManagers: ({ actor, body }) =>
      changeMembers(actor, body, "manageAdmins", { role: GroupRole.MEMBER }, "group.adminRemoved"),
    muteGroup({ actor, body }) {
      const { group } = requireMembership(tables, body.id, actor.userId, "muteAll");
      if (group.isAllMuted === body.isMuted) return null;
      group.isAllMuted = body.isMuted;
      const key = body.isMuted ? "group.allMuted" : "group.allUnmuted";
      notifier.notifyChanged({ groupId: body.id, tips: [appendTip(tables, body.id, actor.userId, key)] });
      return null;
    },
    transferGroup({ actor, body }) {
      const { group, me } = requireMembership(tables, body.groupId, actor.userId, "transfer");
      const newOwner = findMember(tables, body.groupId, body.userId);
      if (newOwner === undefined || newOwner.quit) throw new ApiError("group.targetNotMember");
      if (newOwner === me) return null;
      group.ownerId = newOwner.userId;
      Object.assign(me, { role: GroupRole.MEMBER });
      Object.assign(newOwner, { role: GroupRole.OWNER, isMuted: false });
      const names = [newOwner.userId];
      const tips = [appendTip(tables, body.groupId, actor.userId, "group.transferred", { names })];
      notifier.notifyChanged({ groupId: body.groupId, tips });
      return null;
    },
    quitGroup({ actor, params }) {
      requireMembership(tables, params.id, actor.userId, "quit");
      leaveGroup(tables, params.id, actor.userId);
      notifier.notifyChanged({ groupId: params.id });
      notifier.notifyLeft(params.id, [actor.userId]);
      return null;
    },
    dissolveGroup({ actor, params }) {
      const { group } = requireMembership(tables, params.id, actor.userId, "dissolve");
      const tips = [appendTip(tables, params.id, actor.userId, "group.dissolved")];
      group.isDissolved = true;
      notifier.notifyChanged({ groupId: params.id, tips, readers: [] });
      notifier.notifyLeft(
        params.id,
        membersIn(tables, params.id).map(({ userId }) => userId),
      );
      requests.expire(params.id);
      return null;
    },
    setGroupTop: ({ actor, body }) => changeOwnMembership(actor, body.groupId, { isTop: body.isTop }),
    setGroupMsgRemind: ({ actor, body }) =>
      changeOwnMembership(actor, body.groupId, {
        msgRemind: body.msgRemind,
        msgRemindUntil: body.until ?? null,
      }),
  };

  function removeMessagesOf(groupId: number, userId: number): void {
    const { moderatorRemovals } = tables.groups;
    const row = { groupId, userId, upTo: newestGroupId(tables), changedAt: ++tables.changeNumber };
    const existing = moderatorRemovals.find((other) => other.groupId === groupId && other.userId === userId);
    if (existing === undefined) moderatorRemovals.push(row);
    else Object.assign(existing, row);
    if (hasFault("moderatorRemovalNotPushed")) return;
    const content = JSON.stringify({ userId, upTo: row.upTo });
    const data = { type: MessageType.GROUP_KICK_USER_MSG, groupId, content };
    for (const member of membersIn(tables, groupId)) gateway.toUser(member.userId, { cmd: Cmd.GROUP, data });
  }
}

function hasValues(row: MemberRow, part: Partial<MemberRow>): boolean {
  return Object.entries(part).every(([key, value]) => row[key as keyof MemberRow] === value);
}

/** The given fields that differ; "" counts as null. */
function changedFields<T extends object>(given: T, before: object): Partial<T> {
  const current = before as Record<string, unknown>;
  const entries = Object.entries(given).map(([key, value]): [string, unknown] => [
    key,
    value === "" ? null : value,
  ]);
  return Object.fromEntries(
    entries.filter(([key, value]) => value !== undefined && value !== current[key]),
  ) as Partial<T>;
}
