import { Cmd, GroupRole, MessageType } from "@parley/protocol/codes";
import type { TipKey } from "@parley/protocol/tips";
import { createGroupRequests } from "./group-requests.ts";
import { createVoice, existing, invitees, refuseUnlessMay, showing, standing } from "./group-rules.ts";
import type { GroupRow, MemberRow } from "./group-rows.ts";
import {
  appendTip,
  groupVO,
  joinGroup,
  leaveGroup,
  membersIn,
  memberRow,
  memberVO,
  newestGroupId,
} from "./group-tables.ts";
import type { HandlerDeps, Handlers } from "./handlers.ts";
import { Refused } from "./refused.ts";
import type { Actor } from "./sockets.ts";

/** The people side of groups, by the rules of the real server; messages of people are in `group-messages.ts`. */
export function createGroups(deps: HandlerDeps): Handlers {
  const { tables, gateway, hasFault } = deps;
  const voice = createVoice(deps);
  const requests = createGroupRequests({ ...deps, voice });
  const card = (id: number) => {
    const { name } = existing(tables, id);
    return { id, name, headImage: null, headImageThumb: null, membersCount: membersIn(tables, id).length };
  };
  const view = (groupId: number, userId: number) => {
    const member = memberRow(tables, groupId, userId);
    if (member === undefined) throw new Refused("group.notJoined");
    return groupVO(tables, existing(tables, groupId), member);
  };

  function setMembers(
    actor: Actor,
    { groupId, userIds }: { groupId: number; userIds: readonly number[] },
    action: "mute" | "manageAdmins",
    part: Partial<MemberRow>,
    tipKey: TipKey,
  ): null {
    const { group, me } = standing(tables, groupId, actor.userId, action);
    const targets = membersIn(tables, groupId).filter(({ userId }) => userIds.includes(userId));
    for (const target of targets) {
      refuseUnlessMay(action, group, me, target);
      if (target.role === GroupRole.OWNER) throw new Refused("group.noRight");
    }
    const changed = targets.filter((target) => !isMet(target, part));
    if (changed.length === 0) return null;
    for (const target of changed) Object.assign(target, part);
    const concerns = changed.map(({ userId }) => userId);
    const tips = [appendTip(tables, groupId, actor.userId, tipKey, { names: concerns })];
    voice.changed({ groupId, tips, ...(action === "mute" && { concerns }) });
    return null;
  }

  function setOwn(actor: Actor, groupId: number, part: Partial<MemberRow>): null {
    existing(tables, groupId);
    const me = memberRow(tables, groupId, actor.userId);
    if (me === undefined || me.quit) throw new Refused("group.notMember");
    Object.assign(me, part);
    gateway.toOwnOthers(actor, { cmd: Cmd.GROUP, data: showing(tables, me) });
    return null;
  }

  return {
    ...requests.handlers,
    listGroups: ({ actor }) =>
      tables.groups.members
        .filter(({ userId }) => userId === actor.userId)
        .map(({ groupId }) => view(groupId, actor.userId)),
    findGroup({ actor, params }) {
      if (memberRow(tables, params.id, actor.userId) !== undefined) return view(params.id, actor.userId);
      if (existing(tables, params.id).isDissolved) throw new Refused("group.dissolved");
      return card(params.id);
    },
    findGroupsByName: ({ query }) =>
      tables.groups.groups
        .filter((group) => !group.isDissolved && group.name.includes(query.name))
        .map(({ id }) => card(id)),
    listGroupMembers({ actor, params }) {
      existing(tables, params.id);
      if (memberRow(tables, params.id, actor.userId) === undefined) throw new Refused("group.notJoined");
      return tables.groups.members
        .filter(({ groupId }) => groupId === params.id)
        .map((member) => memberVO(tables, member, gateway.isOnline(member.userId)));
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
      voice.changed({ groupId: group.id, tips, answered: actor });
      return view(group.id, actor.userId);
    },
    modifyGroup({ actor, body }) {
      const { id: groupId, remarkGroupName, remarkNickName, name, notice, attributes } = body;
      const { group, me } = standing(tables, groupId, actor.userId, "setOwnRemarks");
      const notes = differing({ remarkGroupName, remarkNickName }, me);
      const info = differing({ name, notice }, group);
      if (Object.keys(info).length > 0) refuseUnlessMay("editInfo", group, me);
      if (attributes) refuseUnlessMay("editAttributes", group, me);
      Object.assign(group, info, attributes ? { attributes } : {});
      Object.assign(me, notes);
      const tips = [
        ...("name" in info ? [appendTip(tables, groupId, actor.userId, "group.renamed")] : []),
        ...("notice" in info ? [appendTip(tables, groupId, actor.userId, "group.noticeChanged")] : []),
      ];
      const isForAll = Object.keys(info).length > 0 || attributes || "remarkNickName" in notes;
      if (isForAll) voice.changed({ groupId, tips, answered: actor });
      else gateway.toOwnOthers(actor, { cmd: Cmd.GROUP, data: showing(tables, me) });
      return view(groupId, actor.userId);
    },
    setGroupSettings({ actor, body }) {
      const { groupId, ...settings } = body;
      const { group } = standing(tables, groupId, actor.userId, "changeSettings");
      Object.assign(group, settings);
      voice.changed({ groupId });
      return null;
    },
    removeGroupMembers({ actor, body }) {
      const { groupId, userIds, deleteMessages } = body;
      const { group, me } = standing(tables, groupId, actor.userId, "remove");
      const targets = membersIn(tables, groupId).filter(({ userId }) => userIds.includes(userId));
      for (const target of targets) refuseUnlessMay("remove", group, me, target);
      const tips = targets.map(({ userId }) => {
        const tip = appendTip(tables, groupId, actor.userId, "group.removed", { onlyFor: userId });
        leaveGroup(tables, groupId, userId);
        return tip;
      });
      if (targets.length === 0) return null;
      voice.changed({ groupId, tips });
      const gone = targets.map(({ userId }) => userId);
      voice.left(groupId, gone);
      if (deleteMessages === true) for (const userId of gone) purge(groupId, userId);
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
      const { group } = standing(tables, body.id, actor.userId, "muteAll");
      if (group.isAllMuted === body.isMuted) return null;
      group.isAllMuted = body.isMuted;
      const key = body.isMuted ? "group.allMuted" : "group.allUnmuted";
      voice.changed({ groupId: body.id, tips: [appendTip(tables, body.id, actor.userId, key)] });
      return null;
    },
    transferGroup({ actor, body }) {
      const { group, me } = standing(tables, body.groupId, actor.userId, "transfer");
      const heir = memberRow(tables, body.groupId, body.userId);
      if (heir === undefined || heir.quit) throw new Refused("group.targetNotMember");
      if (heir === me) return null;
      group.ownerId = heir.userId;
      Object.assign(me, { role: GroupRole.MEMBER });
      Object.assign(heir, { role: GroupRole.OWNER, isMuted: false });
      const names = [heir.userId];
      const tips = [appendTip(tables, body.groupId, actor.userId, "group.transferred", { names })];
      voice.changed({ groupId: body.groupId, tips });
      return null;
    },
    quitGroup({ actor, params }) {
      standing(tables, params.id, actor.userId, "quit");
      leaveGroup(tables, params.id, actor.userId);
      voice.changed({ groupId: params.id });
      voice.left(params.id, [actor.userId]);
      return null;
    },
    dissolveGroup({ actor, params }) {
      const { group } = standing(tables, params.id, actor.userId, "dissolve");
      const tips = [appendTip(tables, params.id, actor.userId, "group.dissolved")];
      group.isDissolved = true;
      voice.changed({ groupId: params.id, tips, concerns: [] });
      voice.left(
        params.id,
        membersIn(tables, params.id).map(({ userId }) => userId),
      );
      requests.expire(params.id);
      return null;
    },
    setGroupTop: ({ actor, body }) => setOwn(actor, body.groupId, { isTop: body.isTop }),
    setGroupMsgRemind: ({ actor, body }) => setOwn(actor, body.groupId, { msgRemind: body.msgRemind }),
  };

  function purge(groupId: number, userId: number): void {
    const { purges } = tables.groups;
    const row = { groupId, userId, upTo: newestGroupId(tables), changedAt: ++tables.changeNumber };
    const known = purges.find((other) => other.groupId === groupId && other.userId === userId);
    if (known === undefined) purges.push(row);
    else Object.assign(known, row);
    if (hasFault("purgeNotTold")) return;
    const content = JSON.stringify({ userId, upTo: row.upTo });
    const data = { type: MessageType.GROUP_KICK_USER_MSG, groupId, content };
    for (const member of membersIn(tables, groupId)) gateway.toUser(member.userId, { cmd: Cmd.GROUP, data });
  }
}

function isMet(row: MemberRow, part: Partial<MemberRow>): boolean {
  return Object.entries(part).every(([key, value]) => row[key as keyof MemberRow] === value);
}

/** What is given and differs; "" is nothing. */
function differing<T extends object>(given: T, before: object): Partial<T> {
  const known = before as Record<string, unknown>;
  const entries = Object.entries(given).map(([key, value]): [string, unknown] => [
    key,
    value === "" ? null : value,
  ]);
  return Object.fromEntries(
    entries.filter(([key, value]) => value !== undefined && value !== known[key]),
  ) as Partial<T>;
}
