import { Cmd, GroupRole, MessageType } from "@parley/protocol/codes";
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
  findMember,
  memberVOFor,
  newestGroupId,
} from "./group-tables.ts";
import type { HandlerDeps, Handlers } from "./handlers.ts";
import { ApiError } from "./api-error.ts";
import type { Actor } from "./fake-gateway.ts";

/** The people side of groups, by the rules of the real server; messages of people are in `group-messages.ts`. */
export function createGroupHandlers(deps: HandlerDeps): Handlers {
  const { tables, gateway, hasFault } = deps;
  const voice = createGroupNotifier(deps);
  const requests = createGroupRequestHandlers({ ...deps, voice });
  const card = (id: number) => {
    const { name } = requireGroup(tables, id);
    return { id, name, headImage: null, headImageThumb: null, membersCount: membersIn(tables, id).length };
  };
  const view = (groupId: number, userId: number) => {
    const member = findMember(tables, groupId, userId);
    if (member === undefined) throw new ApiError("group.notJoined");
    return groupVOFor(tables, requireGroup(tables, groupId), member);
  };

  function setMembers(
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
    voice.notifyChanged({ groupId, tips, ...(action === "mute" && { readers }) });
    return null;
  }

  function setOwn(actor: Actor, groupId: number, part: Partial<MemberRow>): null {
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
      if (requireGroup(tables, params.id).isDissolved) throw new ApiError("group.dissolved");
      return card(params.id);
    },
    findGroupsByName: ({ query }) =>
      tables.groups.groups
        .filter((group) => !group.isDissolved && group.name.includes(query.name))
        .map(({ id }) => card(id)),
    listGroupMembers({ actor, params }) {
      requireGroup(tables, params.id);
      if (findMember(tables, params.id, actor.userId) === undefined) throw new ApiError("group.notJoined");
      return tables.groups.members
        .filter(({ groupId }) => groupId === params.id)
        .map((member) => memberVOFor(tables, member, gateway.isOnline(member.userId)));
    },
    createGroup({ actor, body }) {
      const made = tables.groups.makings.find(
        (row) => row.makerId === actor.userId && row.tmpId === body.tmpId,
      );
      if (made !== undefined) return view(made.groupId, actor.userId);
      const people = invitees(tables, actor.userId, body.memberIds ?? []);
      const group: GroupRow = {
        id: tables.groups.groups.length + 1,
        name: body.name,
        ownerId: actor.userId,
        notice: null,
        isAllMuted: false,
        inviteRole: 1,
        editRole: 2,
        attrRole: 2,
        joinApproval: false,
        attributes: {},
        banReason: null,
        isDissolved: false,
      };
      tables.groups.groups.push(group);
      if (body.tmpId)
        tables.groups.makings.push({ makerId: actor.userId, tmpId: body.tmpId, groupId: group.id });
      joinGroup(tables, group.id, actor.userId, GroupRole.OWNER);
      for (const userId of people) joinGroup(tables, group.id, userId, GroupRole.MEMBER);
      const invited = () => appendTip(tables, group.id, actor.userId, "group.invited", { names: people });
      const tips = people.length === 0 ? [] : [invited()];
      voice.notifyChanged({ groupId: group.id, tips, actor });
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
      if (isForAll) voice.notifyChanged({ groupId, tips, actor });
      else gateway.toOwnOthers(actor, { cmd: Cmd.GROUP, data: groupPushFor(tables, me) });
      return view(groupId, actor.userId);
    },
    setGroupSettings({ actor, body }) {
      const { groupId, ...settings } = body;
      const { group } = requireMembership(tables, groupId, actor.userId, "changeSettings");
      Object.assign(group, settings);
      voice.notifyChanged({ groupId });
      return null;
    },
    removeGroupMembers({ actor, body }) {
      const { groupId, userIds, deleteMessages } = body;
      const { group, me } = requireMembership(tables, groupId, actor.userId, "remove");
      const targets = membersIn(tables, groupId).filter(({ userId }) => userIds.includes(userId));
      for (const target of targets) authorizeGroupAction("remove", group, me, target);
      const tips = targets.map(({ userId }) => {
        const tip = appendTip(tables, groupId, actor.userId, "group.removed", { onlyFor: userId });
        leaveGroup(tables, groupId, userId);
        return tip;
      });
      if (targets.length === 0) return null;
      voice.notifyChanged({ groupId, tips });
      const gone = targets.map(({ userId }) => userId);
      voice.notifyLeft(groupId, gone);
      if (deleteMessages === true) for (const userId of gone) removal(groupId, userId);
      return null;
    },
    muteGroupMembers: ({ actor, body }) =>
      setMembers(
        actor,
        body,
        "mute",
        { isMuted: body.isMuted },
        body.isMuted ? "group.muted" : "group.unmuted",
      ),
    addGroupManagers: ({ actor, body }) =>
      setMembers(actor, body, "manageAdmins", { role: GroupRole.ADMIN }, "group.adminAdded"),
    removeGroupManagers: ({ actor, body }) =>
      setMembers(actor, body, "manageAdmins", { role: GroupRole.MEMBER }, "group.adminRemoved"),
    muteGroup({ actor, body }) {
      const { group } = requireMembership(tables, body.id, actor.userId, "muteAll");
      if (group.isAllMuted === body.isMuted) return null;
      group.isAllMuted = body.isMuted;
      const key = body.isMuted ? "group.allMuted" : "group.allUnmuted";
      voice.notifyChanged({ groupId: body.id, tips: [appendTip(tables, body.id, actor.userId, key)] });
      return null;
    },
    transferGroup({ actor, body }) {
      const { group, me } = requireMembership(tables, body.groupId, actor.userId, "transfer");
      const heir = findMember(tables, body.groupId, body.userId);
      if (heir === undefined || heir.quit) throw new ApiError("group.targetNotMember");
      if (heir === me) return null;
      group.ownerId = heir.userId;
      Object.assign(me, { role: GroupRole.MEMBER });
      Object.assign(heir, { role: GroupRole.OWNER, isMuted: false });
      const names = [heir.userId];
      const tips = [appendTip(tables, body.groupId, actor.userId, "group.transferred", { names })];
      voice.notifyChanged({ groupId: body.groupId, tips });
      return null;
    },
    quitGroup({ actor, params }) {
      requireMembership(tables, params.id, actor.userId, "quit");
      leaveGroup(tables, params.id, actor.userId);
      voice.notifyChanged({ groupId: params.id });
      voice.notifyLeft(params.id, [actor.userId]);
      return null;
    },
    dissolveGroup({ actor, params }) {
      const { group } = requireMembership(tables, params.id, actor.userId, "dissolve");
      const tips = [appendTip(tables, params.id, actor.userId, "group.dissolved")];
      group.isDissolved = true;
      voice.notifyChanged({ groupId: params.id, tips, readers: [] });
      voice.notifyLeft(
        params.id,
        membersIn(tables, params.id).map(({ userId }) => userId),
      );
      requests.expire(params.id);
      return null;
    },
    setGroupTop: ({ actor, body }) => setOwn(actor, body.groupId, { isTop: body.isTop }),
    setGroupMsgRemind: ({ actor, body }) => setOwn(actor, body.groupId, { msgRemind: body.msgRemind }),
  };

  function removal(groupId: number, userId: number): void {
    const { purges } = tables.groups;
    const row = { groupId, userId, upTo: newestGroupId(tables), changedAt: ++tables.changeNumber };
    const known = purges.find((other) => other.groupId === groupId && other.userId === userId);
    if (known === undefined) purges.push(row);
    else Object.assign(known, row);
    if (hasFault("moderatorRemovalNotPushed")) return;
    const content = JSON.stringify({ userId, upTo: row.upTo });
    const data = { type: MessageType.GROUP_KICK_USER_MSG, groupId, content };
    for (const member of membersIn(tables, groupId)) gateway.toUser(member.userId, { cmd: Cmd.GROUP, data });
  }
}

function hasValues(row: MemberRow, part: Partial<MemberRow>): boolean {
  return Object.entries(part).every(([key, value]) => row[key as keyof MemberRow] === value);
}

/** What is given and differs; "" is nothing. */
function changedFields<T extends object>(given: T, before: object): Partial<T> {
  const known = before as Record<string, unknown>;
  const entries = Object.entries(given).map(([key, value]): [string, unknown] => [
    key,
    value === "" ? null : value,
  ]);
  return Object.fromEntries(
    entries.filter(([key, value]) => value !== undefined && value !== known[key]),
  ) as Partial<T>;
}
