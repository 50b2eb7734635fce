import { GroupRole, RequestStatus } from "@parley/protocol/codes";
import {
  addGroupManagers,
  applyGroup,
  approveGroupRequest,
  createGroup,
  dissolveGroup,
  findGroup,
  findGroupsByName,
  inviteToGroup,
  modifyGroup,
  muteGroup,
  muteGroupMembers,
  quitGroup,
  rejectGroupRequest,
  removeGroupManagers,
  removeGroupMembers,
  setGroupSettings,
  transferGroup,
} from "@parley/protocol/endpoints/groups";
import { findReadedUsers } from "@parley/protocol/endpoints/group-messages";
import type { GroupMemberVO, GroupVO } from "@parley/protocol/entities";
import { GROUP_SEARCH_MAX, MEMBER_BATCH_MAX } from "@parley/protocol/limits";
import { isGroupLeader, patchMembers } from "../model/groups/groups-state.ts";
import type { Result } from "../model/state.ts";
import type { Api } from "../connection/api.ts";
import type { RequestOutcome, GroupActions, GroupEdit } from "../client-api.ts";
import { type GroupRepository, isFullGroup } from "./group-repository.ts";
import type { Ports } from "../ports.ts";
import type { MemberLists } from "./member-lists.ts";
import type { ReadNotices } from "./read-notices.ts";
import { type AlreadyDone, createIdempotentCall } from "../connection/already-done.ts";

/** What group actions need. */
export interface GroupActionsDeps {
  api: Api;
  repository: GroupRepository;
  memberLists: MemberLists;
  /** The id of the person signed in. */
  me: number;
  ports: Ports;
  readNotices: ReadNotices;
}

const SILENT = { silent: true };
const DONE = { ok: true, value: null } as const;

const ALREADY_APPLIED: AlreadyDone<RequestOutcome> = {
  "group.already": { status: RequestStatus.APPROVED },
  "group.requestPending": { status: RequestStatus.PENDING },
};
const ALREADY_ANSWERED: AlreadyDone<null> = { "group.requestHandled": null };

/** Creates the actions on groups and their members. */
export function createGroupActions({
  api,
  repository,
  memberLists,
  me,
  ports,
  readNotices,
}: GroupActionsDeps): GroupActions {
  const callIdempotent = createIdempotentCall(api);

  /**
   * The server also pushes the changed group to this client, before or after the answer. So the answer is applied only if no push arrived
   * meanwhile: a push is at least as new.
   */
  async function perform(
    id: number,
    call: Promise<Result<null>>,
    applyLocally: () => void,
  ): Promise<Result<null>> {
    repository.markChanged(id);
    const versionAtStart = repository.version();
    const result = await call;
    const hasChanged = repository.hasChangedSince(id, versionAtStart);
    repository.markChanged(id);
    if (!result.ok) void repository.reload();
    else if (!hasChanged) applyLocally();
    memberLists.markStale(id);
    return result;
  }

  /** The last creation without an answer. The server may have done it, so the same form again is sent with the same tmpId. */
  let unansweredCreation: { form: string; tmpId: string } | null = null;

  const patch = (id: number, part: Partial<GroupVO>) => () => repository.patch(id, part);

  /** Sends an action on many users in batches, one after the other. */
  async function inBatches(
    userIds: readonly number[],
    send: (batch: number[]) => Promise<Result<null>>,
  ): Promise<Result<null>> {
    for (let i = 0; i < userIds.length; i += MEMBER_BATCH_MAX) {
      const result = await send(userIds.slice(i, i + MEMBER_BATCH_MAX));
      if (!result.ok) return result;
    }
    return DONE;
  }

  function changeMembers(
    id: number,
    userIds: readonly number[],
    part: Partial<GroupMemberVO>,
    call: (userIds: number[]) => Promise<Result<null>>,
  ): Promise<Result<null>> {
    return inBatches(userIds, async (batch) => {
      const result = await perform(id, call(batch), () => undefined);
      if (result.ok) repository.update((groups) => patchMembers(groups, id, batch, part));
      return result;
    });
  }

  /** For calls that return the group itself and cause no push to this client. */
  async function applyReturnedGroup<T extends GroupVO>(
    id: number | null,
    call: Promise<Result<T>>,
  ): Promise<Result<T>> {
    if (id !== null) repository.markChanged(id);
    const versionAtStart = repository.version();
    const result = await call;
    const groupId = result.ok ? result.value.id : id;
    const isOutdated = groupId !== null && repository.hasChangedSince(groupId, versionAtStart);
    if (groupId !== null) repository.markChanged(groupId);
    if (!result.ok) void repository.reload();
    else if (isOutdated) await repository.refetch(result.value.id);
    else repository.put(result.value);
    return result;
  }

  async function answerRequest(requestId: number, call: Promise<Result<null>>): Promise<Result<null>> {
    const result = await call;
    if (result.ok) repository.removeRequest(requestId);
    else void repository.reload();
    return result;
  }

  function invite(id: number, friendIds: readonly number[]): Promise<Result<null>> {
    return inBatches(friendIds, async (batch) => {
      const result = await perform(
        id,
        api.call(inviteToGroup, { body: { groupId: id, friendIds: batch } }),
        () => undefined,
      );
      const group = repository.get(id);
      // The invitation may have become requests.
      if (result.ok && group?.joinApproval === true && !isGroupLeader(group))
        void repository.reloadRequests();
      return result;
    });
  }

  return {
    reload: repository.reload,
    loadMembers: memberLists.load,
    readNotice: readNotices.read,
    async create({ memberIds, ...form }) {
      const body = { ...form, memberIds: memberIds.slice(0, MEMBER_BATCH_MAX) };
      const formKey = JSON.stringify([form, memberIds]);
      const creation =
        unansweredCreation?.form === formKey
          ? unansweredCreation
          : { form: formKey, tmpId: ports.random.id() };
      unansweredCreation = creation;
      const created = await applyReturnedGroup(
        null,
        api.call(createGroup, { body: { tmpId: creation.tmpId, ...body } }),
      );
      if (created.ok && unansweredCreation === creation) unansweredCreation = null;
      if (created.ok) await invite(created.value.id, memberIds.slice(MEMBER_BATCH_MAX));
      return created;
    },
    async modify(id, part) {
      const group = repository.get(id);
      const changed = group === undefined ? part : changedFields(group, part);
      if (Object.keys(changed).length === 0) return DONE;
      const { attributes, ...rest } = changed;
      const body = { id, ...rest, ...(attributes !== undefined && { attributes: { ...attributes } }) };
      const result = await applyReturnedGroup(id, api.call(modifyGroup, { body }));
      if (!result.ok) return result;
      memberLists.markStale(id);
      // The author of a notice has read it.
      if (changed.notice !== undefined) readNotices.read(id);
      return DONE;
    },
    setRights: (id, part) =>
      perform(id, api.call(setGroupSettings, { body: { groupId: id, ...part } }), patch(id, part)),
    invite,
    async apply(id, remark) {
      const result = await callIdempotent(
        applyGroup,
        { body: { groupId: id, remark } },
        ALREADY_APPLIED,
        SILENT,
      );
      if (!result.ok) void repository.reload();
      else if (result.value.status !== RequestStatus.PENDING) await repository.refetch(id);
      else if ("id" in result.value) repository.putRequest(result.value);
      else void repository.reloadRequests();
      return result;
    },
    approve: (requestId) =>
      answerRequest(
        requestId,
        callIdempotent(approveGroupRequest, { query: { id: requestId } }, ALREADY_ANSWERED),
      ),
    reject: (requestId) =>
      answerRequest(
        requestId,
        callIdempotent(rejectGroupRequest, { query: { id: requestId } }, ALREADY_ANSWERED),
      ),
    async find(id) {
      const versionAtStart = repository.version();
      const found = await api.call(findGroup, { params: { id } }, SILENT);
      if (found.ok && isFullGroup(found.value) && !repository.hasChangedSince(id, versionAtStart))
        repository.put(found.value);
      return found;
    },
    async search(name) {
      const found = await api.call(findGroupsByName, { query: { name } }, SILENT);
      return found.ok ? { ok: true, value: found.value.slice(0, GROUP_SEARCH_MAX) } : found;
    },
    removeMembers: (id, userIds, deleteMessages) =>
      changeMembers(id, userIds, { quit: true }, (batch) =>
        api.call(removeGroupMembers, { body: { groupId: id, userIds: batch, deleteMessages } }),
      ),
    setMuted: (id, userIds, isMuted) =>
      changeMembers(id, userIds, { isMuted }, (batch) =>
        api.call(muteGroupMembers, { body: { groupId: id, userIds: batch, isMuted } }),
      ),
    setAllMuted: (id, isMuted) =>
      perform(id, api.call(muteGroup, { body: { id, isMuted } }), patch(id, { isAllMuted: isMuted })),
    setManagers: (id, userIds, isManager) =>
      changeMembers(id, userIds, { role: isManager ? GroupRole.ADMIN : GroupRole.MEMBER }, (batch) =>
        api.call(isManager ? addGroupManagers : removeGroupManagers, {
          body: { groupId: id, userIds: batch },
        }),
      ),
    async transfer(id, userId) {
      const call = callIdempotent(
        transferGroup,
        { body: { groupId: id, userId } },
        { "group.noRight": null },
      );
      const part = userId === me ? {} : { ownerId: userId, role: GroupRole.MEMBER };
      const result = await perform(id, call, patch(id, part));
      if (result.ok && userId !== me)
        repository.update((groups) =>
          patchMembers(patchMembers(groups, id, [me], { role: GroupRole.MEMBER }), id, [userId], {
            role: GroupRole.OWNER,
            isMuted: false,
          }),
        );
      return result;
    },
    quit: (id) =>
      perform(
        id,
        callIdempotent(quitGroup, { params: { id } }, { "group.notMember": null }),
        patch(id, { quit: true }),
      ),
    dissolve: (id) =>
      perform(
        id,
        callIdempotent(dissolveGroup, { params: { id } }, { "group.dissolved": null }),
        patch(id, { dissolve: true }),
      ),
    readers: (groupId, messageId, who = "read") =>
      api.call(findReadedUsers, { query: { groupId, messageId, who } }),
  };
}

/** The fields of an edit that differ from the group; "" and null count as equal. */
function changedFields(group: GroupVO, part: GroupEdit): GroupEdit {
  const entries = Object.entries(part).filter(([key, value]) => {
    const current = group[key as keyof GroupEdit];
    if (key === "attributes") return !isSameMap(value as Record<string, string>, group.attributes);
    return (value || null) !== (current || null);
  });
  return Object.fromEntries(entries);
}

function isSameMap(a: Readonly<Record<string, string>>, b: Readonly<Record<string, string>>): boolean {
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => a[key] === b[key]);
}
