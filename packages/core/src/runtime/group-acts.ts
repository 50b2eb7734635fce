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
import { leads, patchMembers } from "../model/groups.ts";
import type { Result } from "../model/state.ts";
import type { Api } from "./api.ts";
import type { Applied, GroupActions, GroupChange } from "./client-api.ts";
import { type GroupBook, isWhole } from "./group-book.ts";
import type { Ports } from "./ports.ts";
import type { GroupPeople } from "./group-members.ts";
import { type Already, createRedo } from "./redo.ts";

export type GroupActs = Omit<GroupActions, "reload" | "loadMembers" | "readNotice">;

export interface GroupActsDeps {
  api: Api;
  book: GroupBook;
  people: GroupPeople;
  me(): number;
  random: Ports["random"];
  /** Whoever writes a notice has read it. */
  readNotice(id: number): void;
}

const QUIET = { quiet: true };
const DONE = { ok: true, value: null } as const;

const APPLIED: Already<Applied> = {
  "group.already": { status: RequestStatus.APPROVED },
  "group.requestPending": { status: RequestStatus.PENDING },
};
const ANSWERED: Already<null> = { "group.requestHandled": null };

/** What I do to groups, and to people in them. */
export function createGroupActs({ api, book, people, me, random, readNotice }: GroupActsDeps): GroupActs {
  const redo = createRedo(api, me);

  /**
   * The server pushes the group as it then stands to this client too, before the answer or behind it. So the answer shows something only
   * if nothing else came meanwhile: what came is at least as new.
   */
  async function act(id: number, call: Promise<Result<null>>, show: () => void): Promise<Result<null>> {
    book.note(id);
    const [owner, asOf] = [me(), book.now()];
    const result = await call;
    if (owner !== me()) return result;
    const isTold = book.isSince(id, asOf);
    book.note(id);
    if (!result.ok) void book.reload();
    else if (!isTold) show();
    people.touch(id);
    return result;
  }

  /** The last making that was not answered by its group, and may yet have come about: the same form again is a repeat. */
  let unsure: { form: string; tmpId: string } | null = null;

  const patch = (id: number, part: Partial<GroupVO>) => () => book.patch(id, part);

  /** What is done to many people goes in parts, one after the other. */
  async function inParts(
    userIds: readonly number[],
    send: (part: number[]) => Promise<Result<null>>,
  ): Promise<Result<null>> {
    const owner = me();
    for (let i = 0; i < userIds.length; i += MEMBER_BATCH_MAX) {
      const result = await send(userIds.slice(i, i + MEMBER_BATCH_MAX));
      if (!result.ok || owner !== me()) return result;
    }
    return DONE;
  }

  function actOnMembers(
    id: number,
    userIds: readonly number[],
    part: Partial<GroupMemberVO>,
    call: (userIds: number[]) => Promise<Result<null>>,
  ): Promise<Result<null>> {
    const owner = me();
    return inParts(userIds, async (some) => {
      const result = await act(id, call(some), () => undefined);
      if (result.ok && owner === me()) book.change((groups) => patchMembers(groups, id, some, part));
      return result;
    });
  }

  /** The answer is the group itself, and no push follows here. */
  async function take<T extends GroupVO>(id: number | null, call: Promise<Result<T>>): Promise<Result<T>> {
    if (id !== null) book.note(id);
    const [owner, asOf] = [me(), book.now()];
    const result = await call;
    if (owner !== me()) return result;
    const known = result.ok ? result.value.id : id;
    const isOld = known !== null && book.isSince(known, asOf);
    if (known !== null) book.note(known);
    if (!result.ok) void book.reload();
    else if (isOld) await book.find(result.value.id);
    else book.put(result.value);
    return result;
  }

  async function answer(requestId: number, call: Promise<Result<null>>): Promise<Result<null>> {
    const owner = me();
    const result = await call;
    if (owner !== me()) return result;
    if (result.ok) book.dropRequest(requestId);
    else void book.reload();
    return result;
  }

  function invite(id: number, friendIds: readonly number[]): Promise<Result<null>> {
    const owner = me();
    return inParts(friendIds, async (some) => {
      const result = await act(
        id,
        api.call(inviteToGroup, { body: { groupId: id, friendIds: some } }),
        () => undefined,
      );
      if (owner !== me()) return result;
      const group = book.get(id);
      // The invitation may have become requests.
      if (result.ok && group?.joinApproval === true && !leads(group)) void book.reloadRequests();
      return result;
    });
  }

  return {
    async create({ memberIds, ...form }) {
      const body = { ...form, memberIds: memberIds.slice(0, MEMBER_BATCH_MAX) };
      const owner = me();
      const wanted = JSON.stringify([owner, form, memberIds]);
      const making = unsure?.form === wanted ? unsure : { form: wanted, tmpId: random.id() };
      unsure = making;
      const created = await take(null, api.call(createGroup, { body: { tmpId: making.tmpId, ...body } }));
      if (created.ok && unsure === making) unsure = null;
      if (created.ok && owner === me()) await invite(created.value.id, memberIds.slice(MEMBER_BATCH_MAX));
      return created;
    },
    async modify(id, part) {
      const group = book.get(id);
      const changed = group === undefined ? part : differing(group, part);
      if (Object.keys(changed).length === 0) return DONE;
      const { attributes, ...rest } = changed;
      const body = { id, ...rest, ...(attributes !== undefined && { attributes: { ...attributes } }) };
      const owner = me();
      const result = await take(id, api.call(modifyGroup, { body }));
      if (!result.ok) return result;
      if (owner !== me()) return DONE;
      people.touch(id);
      if (changed.notice !== undefined) readNotice(id);
      return DONE;
    },
    setRights: (id, part) =>
      act(id, api.call(setGroupSettings, { body: { groupId: id, ...part } }), patch(id, part)),
    invite,
    async apply(id, remark) {
      const owner = me();
      const result = await redo(applyGroup, { body: { groupId: id, remark } }, APPLIED, QUIET);
      if (owner !== me()) return result;
      if (!result.ok) void book.reload();
      else if (result.value.status !== RequestStatus.PENDING) await book.find(id);
      else if ("id" in result.value) book.putRequest(result.value);
      else void book.reloadRequests();
      return result;
    },
    approve: (requestId) =>
      answer(requestId, redo(approveGroupRequest, { query: { id: requestId } }, ANSWERED)),
    reject: (requestId) =>
      answer(requestId, redo(rejectGroupRequest, { query: { id: requestId } }, ANSWERED)),
    async find(id) {
      const [owner, asOf] = [me(), book.now()];
      const found = await api.call(findGroup, { params: { id } }, QUIET);
      if (owner === me() && found.ok && isWhole(found.value) && !book.isSince(id, asOf))
        book.put(found.value);
      return found;
    },
    async search(name) {
      const found = await api.call(findGroupsByName, { query: { name } }, QUIET);
      return found.ok ? { ok: true, value: found.value.slice(0, GROUP_SEARCH_MAX) } : found;
    },
    removeMembers: (id, userIds, deleteMessages) =>
      actOnMembers(id, userIds, { quit: true }, (some) =>
        api.call(removeGroupMembers, { body: { groupId: id, userIds: some, deleteMessages } }),
      ),
    setMuted: (id, userIds, isMuted) =>
      actOnMembers(id, userIds, { isMuted }, (some) =>
        api.call(muteGroupMembers, { body: { groupId: id, userIds: some, isMuted } }),
      ),
    setAllMuted: (id, isMuted) =>
      act(id, api.call(muteGroup, { body: { id, isMuted } }), patch(id, { isAllMuted: isMuted })),
    setManagers: (id, userIds, isManager) =>
      actOnMembers(id, userIds, { role: isManager ? GroupRole.ADMIN : GroupRole.MEMBER }, (some) =>
        api.call(isManager ? addGroupManagers : removeGroupManagers, {
          body: { groupId: id, userIds: some },
        }),
      ),
    async transfer(id, userId) {
      const call = redo(transferGroup, { body: { groupId: id, userId } }, { "group.noRight": null });
      const owner = me();
      const part = userId === owner ? {} : { ownerId: userId, role: GroupRole.MEMBER };
      const result = await act(id, call, patch(id, part));
      if (result.ok && userId !== owner && owner === me())
        book.change((groups) =>
          patchMembers(patchMembers(groups, id, [owner], { role: GroupRole.MEMBER }), id, [userId], {
            role: GroupRole.OWNER,
            isMuted: false,
          }),
        );
      return result;
    },
    quit: (id) =>
      act(id, redo(quitGroup, { params: { id } }, { "group.notMember": null }), patch(id, { quit: true })),
    dissolve: (id) =>
      act(
        id,
        redo(dissolveGroup, { params: { id } }, { "group.dissolved": null }),
        patch(id, { dissolve: true }),
      ),
    readers: (groupId, messageId, who = "read") =>
      api.call(findReadedUsers, { query: { groupId, messageId, who } }),
  };
}

/** What of a change is one: "" and null are the same nothing. */
function differing(group: GroupVO, part: GroupChange): GroupChange {
  const entries = Object.entries(part).filter(([key, value]) => {
    const known = group[key as keyof GroupChange];
    if (key === "attributes") return !isSameMap(value as Record<string, string>, group.attributes);
    return (value || null) !== (known || null);
  });
  return Object.fromEntries(entries);
}

function isSameMap(a: Readonly<Record<string, string>>, b: Readonly<Record<string, string>>): boolean {
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => a[key] === b[key]);
}
