import { JoinMode, RequestStatus } from "@parley/protocol/codes";
import {
  applyGroup,
  approveGroupRequest,
  dissolveGroup,
  findGroup,
  findGroupsByName,
  modifyGroup,
  muteGroup,
  quitGroup,
  rejectGroupRequest,
  setGroupSettings,
} from "@parley/protocol/endpoints/groups";
import { findReadedUsers } from "@parley/protocol/endpoints/group-messages";
import type { GroupCard, GroupVO } from "@parley/protocol/entities";
import { GROUP_SEARCH_MAX } from "@parley/protocol/limits";
import { isSameData } from "../model/same-data.ts";
import type { Result } from "../model/state.ts";
import { DONE, SILENT, type Api } from "../connection/api.ts";
import type { RequestOutcome } from "../contacts/contact-actions.ts";
import { actOnGroup, applyAnsweredGroup } from "./act-on-group.ts";
import { type CreateGroup, createGroupCreation } from "./group-creation.ts";
import { type GroupRepository, isFullGroup } from "./group-repository.ts";
import type { JoinRequests } from "./join-requests.ts";
import { createMemberActions, type MemberActions } from "./member-actions.ts";
import type { MemberLists } from "./member-lists.ts";
import type { SharedValues } from "../storage/shared-values.ts";
import type { Ports } from "../ports.ts";
import { type AlreadyDone, createIdempotentCall } from "../connection/already-done.ts";

/**
 * Everything that can be done with groups. Changes are shown when the server has accepted them; the pushes that follow change nothing more.
 * A failed call also raises a toast, unless its comment says otherwise.
 */
export interface GroupActions extends MemberActions {
  readonly create: CreateGroup;
  /** Loads the groups again. No toast. */
  reload(): Promise<Result<null>>;
  /** Changes a group. Only changed fields are sent, so that a stale field does not make the server refuse the call. */
  modify(id: number, part: GroupEdit): Promise<Result<null>>;
  setRights(id: number, part: GroupRights): Promise<Result<null>>;
  /** Asks to join a group. Status 2: joined at once. The caller shows a failure. */
  apply(id: number, remark: string): Promise<Result<RequestOutcome>>;
  approve(requestId: number): Promise<Result<null>>;
  reject(requestId: number): Promise<Result<null>>;
  /** Loads a group: all fields for a current or former member, else the card of a group that can be found. The caller shows a failure. */
  find(id: number): Promise<Result<GroupVO | GroupCard>>;
  /** Finds at most 20 groups that can be found, or that I was in, by id or by a part of the name. The caller shows a failure. */
  search(name: string): Promise<Result<readonly GroupCard[]>>;
  /** Loads the members into the state, again if they are loaded already. No toast. */
  loadMembers(id: number): Promise<Result<null>>;
  /** Mutes the whole group: only the owner may write. */
  setAllMuted(id: number, isMuted: boolean): Promise<Result<null>>;
  quit(id: number): Promise<Result<null>>;
  dissolve(id: number): Promise<Result<null>>;
  /** Records on this device that the current notice was read. */
  readNotice(id: number): void;
  /** User ids of the recipients of a message who have read it, or have not. */
  readers(id: number, messageId: number, who?: "read" | "unread"): Promise<Result<readonly number[]>>;
}

/** Changed fields of a group. Fields that are left out stay; null removes a value. */
export interface GroupEdit {
  readonly name?: string;
  readonly headImage?: string | null;
  readonly headImageThumb?: string | null;
  readonly notice?: string | null;
  readonly remarkGroupName?: string | null;
  readonly remarkNickName?: string | null;
  readonly attributes?: Readonly<Record<string, string>>;
}

/** Who may invite, edit the group and edit its attributes: 1 everyone, 2 admins. How people join, and whether they find the group. */
export interface GroupRights {
  readonly inviteRole?: 1 | 2;
  readonly editRole?: 1 | 2;
  readonly attrRole?: 1 | 2;
  readonly joinMode?: JoinMode;
  readonly isFindable?: boolean;
}

/** What group actions need. */
export interface GroupActionsDeps {
  api: Api;
  ports: Ports;
  repository: GroupRepository;
  joinRequests: JoinRequests;
  memberLists: MemberLists;
  sharedValues: SharedValues;
  /** The id of the person signed in. */
  me: number;
}

const ALREADY_APPLIED: AlreadyDone<RequestOutcome> = {
  "group.already": { status: RequestStatus.APPROVED },
  "group.requestPending": { status: RequestStatus.PENDING },
};
const ALREADY_ANSWERED: AlreadyDone<null> = { "group.requestHandled": null };
const ALREADY_QUIT: AlreadyDone<null> = { "group.notMember": null };
const ALREADY_DISSOLVED: AlreadyDone<null> = { "group.dissolved": null };

/** Creates the actions on groups, their members, and requests to join. */
export function createGroupActions(deps: GroupActionsDeps): GroupActions {
  const { api, ports, repository, joinRequests, memberLists, sharedValues } = deps;
  const callIdempotent = createIdempotentCall(api);
  const memberActions = createMemberActions({ ...deps, callIdempotent, perform });

  /**
   * The server also pushes the changed group to this client, before or after the answer. So the answer is applied only if no push arrived
   * before it: a push is at least as new.
   */
  async function perform(
    id: number,
    call: Promise<Result<null>>,
    applyLocally: () => void,
  ): Promise<Result<null>> {
    const { result, isOutdated } = await actOnGroup(repository, id, call);
    if (!result.ok) void repository.reload();
    else if (!isOutdated) applyLocally();
    memberLists.markStale(id);
    return result;
  }

  const performPatch = (id: number, part: Partial<GroupVO>, call: Promise<Result<null>>) =>
    perform(id, call, () => repository.patch(id, part));

  function readNotice(groupId: number): void {
    const notice = repository.get(groupId)?.notice;
    if (notice) sharedValues.change("readNotices", { groupId, notice });
  }

  async function answerRequest(id: number, endpoint: typeof approveGroupRequest): Promise<Result<null>> {
    const result = await callIdempotent(endpoint, { query: { id } }, ALREADY_ANSWERED);
    if (result.ok) joinRequests.remove(id);
    else void repository.reload();
    return result;
  }

  return {
    ...memberActions,
    reload: repository.reload,
    loadMembers: memberLists.load,
    readNotice,
    create: createGroupCreation({ api, ports, repository, invite: memberActions.invite }),
    async modify(id, part) {
      const group = repository.get(id);
      const changed = group === undefined ? part : changedFields(group, part);
      if (Object.keys(changed).length === 0) return DONE;
      const { attributes, ...rest } = changed;
      const body = { id, ...rest, ...(attributes !== undefined && { attributes: { ...attributes } }) };
      const { result, isOutdated } = await actOnGroup(repository, id, api.call(modifyGroup, { body }));
      if (!result.ok) {
        void repository.reload();
        return result;
      }
      await applyAnsweredGroup(repository, result.value, isOutdated);
      memberLists.markStale(id);
      // The author of a notice has read it.
      if (changed.notice !== undefined) readNotice(id);
      return DONE;
    },
    setRights(id, part) {
      // The group that is shown meanwhile names it twice.
      const approval = part.joinMode !== undefined && { joinApproval: part.joinMode !== JoinMode.FREE };
      const body = { groupId: id, ...part };
      return performPatch(id, { ...part, ...approval }, api.call(setGroupSettings, { body }));
    },
    async apply(id, remark) {
      const result = await callIdempotent(
        applyGroup,
        { body: { groupId: id, remark } },
        ALREADY_APPLIED,
        SILENT,
      );
      if (!result.ok) void repository.reload();
      else if (result.value.status !== RequestStatus.PENDING) await repository.refetch(id);
      else if ("id" in result.value) joinRequests.put(result.value);
      else void repository.reloadRequests();
      return result;
    },
    approve: (requestId) => answerRequest(requestId, approveGroupRequest),
    reject: (requestId) => answerRequest(requestId, rejectGroupRequest),
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
    setAllMuted: (id, isMuted) =>
      performPatch(id, { isAllMuted: isMuted }, api.call(muteGroup, { body: { id, isMuted } })),
    quit: (id) =>
      performPatch(id, { quit: true }, callIdempotent(quitGroup, { params: { id } }, ALREADY_QUIT)),
    dissolve: (id) =>
      performPatch(
        id,
        { dissolve: true },
        callIdempotent(dissolveGroup, { params: { id } }, ALREADY_DISSOLVED),
      ),
    readers: (groupId, messageId, who = "read") =>
      api.call(findReadedUsers, { query: { groupId, messageId, who } }),
  };
}

/** The fields of an edit that differ from the group; "" and null count as equal. */
function changedFields(group: GroupVO, part: GroupEdit): GroupEdit {
  const entries = Object.entries(part).filter(([key, value]) => {
    const current = group[key as keyof GroupEdit];
    if (key === "attributes") return !isSameData(value, group.attributes);
    return (value || null) !== (current || null);
  });
  return Object.fromEntries(entries);
}
