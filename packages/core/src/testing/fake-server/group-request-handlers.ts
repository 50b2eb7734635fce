import { Cmd, GroupRole, JoinMode, MessageType, RequestStatus } from "@parley/protocol/codes";
import type { GroupRequestVO } from "@parley/protocol/entities";
import type { GroupRequestRow } from "./group-rows.ts";
import {
  appendTip,
  groupRequestVOFor,
  joinGroup,
  joinModeFor,
  findMember,
  membersIn,
} from "./group-tables.ts";
import {
  requireGroup,
  type GroupNotifier,
  invitees,
  authorizeGroupAction,
  requireMembership,
} from "./group-access.ts";
import type { HandlerDeps, Handlers } from "./handlers.ts";
import { ApiError } from "./api-error.ts";
import type { Actor } from "./fake-gateway.ts";
import { appendSystem, systemMessageFor } from "./tables.ts";

/** Creates the handlers of invitations and requests to join. `expire` closes the pending requests of a dissolved group. */
export function createGroupRequestHandlers({
  tables,
  gateway,
  hasFault,
  notifier,
}: HandlerDeps & { notifier: GroupNotifier }): { handlers: Handlers; expire(groupId: number): void } {
  const leadersOf = (groupId: number) =>
    membersIn(tables, groupId)
      .filter(({ role }) => role !== GroupRole.MEMBER)
      .map(({ userId }) => userId);
  const requesterOf = ({ sendId, inviterId }: GroupRequestRow) => inviterId ?? sendId;
  const signal = (type: number, vo: GroupRequestVO) => ({
    cmd: Cmd.PRIVATE,
    data: { type, sendId: vo.sendId, groupId: vo.groupId, content: JSON.stringify(vo) },
  });

  function pendingOf(groupId: number, sendId: number): GroupRequestRow | undefined {
    return tables.groups.requests.find(
      (row) => row.groupId === groupId && row.sendId === sendId && row.status === RequestStatus.PENDING,
    );
  }

  function addRequest(part: Pick<GroupRequestRow, "groupId" | "sendId" | "inviterId" | "remark" | "status">) {
    const { requests } = tables.groups;
    const row: GroupRequestRow = { ...part, id: requests.length + 1, applyTime: tables.now() };
    requests.push(row);
    return row;
  }

  function createRequest(
    groupId: number,
    sendId: number,
    inviterId: number | null,
    remark: string,
  ): GroupRequestVO {
    const row = addRequest({ groupId, sendId, inviterId, remark, status: RequestStatus.PENDING });
    const vo = groupRequestVOFor(tables, row);
    const leaders = leadersOf(groupId);
    const systems = leaders.map((userId) => appendSystem(tables, userId, vo));
    for (const userId of new Set([...leaders, requesterOf(row)]))
      gateway.toUser(userId, signal(MessageType.GROUP_REQ_APPLY, vo));
    for (const system of systems)
      gateway.toUser(system.userId, { cmd: Cmd.SYSTEM, data: systemMessageFor(tables, system) });
    return vo;
  }

  /** Sets the final status of a request, also in the system messages about it. */
  function closeRequest(
    actor: Actor | null,
    row: GroupRequestRow,
    status: RequestStatus,
    type: number,
  ): void {
    row.status = status;
    const vo = groupRequestVOFor(tables, row);
    const recipients = new Set([row.sendId, requesterOf(row), ...leadersOf(row.groupId)]);
    for (const userId of hasFault("groupRequestNotPushed") ? [] : recipients) {
      if (actor === null) gateway.toUser(userId, signal(type, vo));
      else gateway.toOthersOf(actor, userId, signal(type, vo));
    }
    for (const system of tables.system.filter(({ groupRequestId }) => groupRequestId === row.id)) {
      system.message = { ...system.message, content: JSON.stringify(vo) };
      system.changedAt = ++tables.changeNumber;
      gateway.toUser(system.userId, { cmd: Cmd.SYSTEM, data: systemMessageFor(tables, system) });
    }
  }

  function addMembers(
    actor: Actor | null,
    groupId: number,
    userIds: readonly number[],
    inviterId?: number,
  ): void {
    for (const userId of userIds) {
      joinGroup(tables, groupId, userId, GroupRole.MEMBER);
      const request = pendingOf(groupId, userId);
      if (request !== undefined)
        closeRequest(actor, request, RequestStatus.APPROVED, MessageType.GROUP_REQ_APPROVE);
    }
    const tips =
      inviterId === undefined
        ? userIds.map((userId) => appendTip(tables, groupId, userId, "group.joined"))
        : [appendTip(tables, groupId, inviterId, "group.invited", { names: userIds })];
    notifier.notifyChanged({ groupId, tips });
  }

  const isOutsideGroup = (groupId: number, userId: number) =>
    findMember(tables, groupId, userId)?.quit !== false;

  /** The pending request, if the acting user is owner or admin of its group; throws otherwise. */
  function requirePending(actor: Actor, id: number): GroupRequestRow {
    const row = tables.groups.requests.find((request) => request.id === id);
    const me = row && findMember(tables, row.groupId, actor.userId);
    if (row === undefined || me === undefined || me.quit) throw new ApiError("group.requestUnknown");
    authorizeGroupAction("handleRequests", requireGroup(tables, row.groupId), me);
    if (row.status !== RequestStatus.PENDING) throw new ApiError("group.requestHandled");
    return row;
  }

  const handlers: Handlers = {
    inviteToGroup({ actor, body }) {
      const { groupId } = body;
      const { group, me } = requireMembership(tables, groupId, actor.userId, "invite");
      const inviteeIds = invitees(tables, actor.userId, body.friendIds).filter((id) =>
        isOutsideGroup(groupId, id),
      );
      if (inviteeIds.length === 0) return null;
      const needsApproval = (userId: number) =>
        me.role === GroupRole.MEMBER &&
        (group.joinMode === JoinMode.APPROVAL || findMember(tables, groupId, userId)?.wasRemoved === true);
      const welcomeIds = inviteeIds.filter((userId) => !needsApproval(userId));
      if (welcomeIds.length > 0) addMembers(actor, groupId, welcomeIds, actor.userId);
      for (const userId of inviteeIds.filter(needsApproval))
        if (pendingOf(groupId, userId) === undefined) createRequest(groupId, userId, actor.userId, "");
      return null;
    },
    applyGroup({ actor, body }) {
      const { groupId, remark } = body;
      const group = requireGroup(tables, groupId);
      if (group.isDissolved) throw new ApiError("group.dissolved");
      if (group.banReason !== null) throw new ApiError("group.banned");
      if (!isOutsideGroup(groupId, actor.userId)) throw new ApiError("group.already");
      const pending = pendingOf(groupId, actor.userId);
      const mode = joinModeFor(group, findMember(tables, groupId, actor.userId));
      if (mode !== JoinMode.FREE) {
        if (pending !== undefined) throw new ApiError("group.requestPending");
        if (mode === JoinMode.INVITATION) throw new ApiError("group.cannotJoin");
        return createRequest(groupId, actor.userId, null, remark ?? "");
      }
      const fields = { groupId, sendId: actor.userId, inviterId: null, remark: remark ?? "" };
      const row = pending ?? addRequest({ ...fields, status: RequestStatus.APPROVED });
      addMembers(null, groupId, [actor.userId]);
      return groupRequestVOFor(tables, row);
    },
    approveGroupRequest({ actor, query }) {
      const { groupId, sendId, inviterId } = requirePending(actor, query.id);
      addMembers(actor, groupId, [sendId], inviterId ?? undefined);
      return null;
    },
    rejectGroupRequest({ actor, query }) {
      closeRequest(
        actor,
        requirePending(actor, query.id),
        RequestStatus.REJECTED,
        MessageType.GROUP_REQ_REJECT,
      );
      return null;
    },
    listGroupRequests({ actor }) {
      const { userId } = actor;
      return tables.groups.requests
        .filter((row) => row.status === RequestStatus.PENDING)
        .filter((row) => leadersOf(row.groupId).includes(userId) || requesterOf(row) === userId)
        .map((row) => groupRequestVOFor(tables, row));
    },
  };

  return {
    handlers,
    expire(groupId) {
      for (const row of tables.groups.requests) {
        if (row.groupId !== groupId || row.status !== RequestStatus.PENDING) continue;
        closeRequest(null, row, RequestStatus.EXPIRED, MessageType.GROUP_REQ_REJECT);
      }
    },
  };
}
