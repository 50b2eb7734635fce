/** Groups and who is in them as what, remembered: each message asks, and it changes seldom. */
import type { GroupRole } from "@parley/protocol/codes";
import { type GroupAction, type GroupTarget, checkGroupAction } from "@parley/protocol/group-rights";
import type { Bus } from "../../ports/bus.ts";
import { ApiError } from "../../ports/call.ts";
import type { GroupRow } from "../../ports/group-store.ts";
import type { Reads, Store } from "../../ports/store.ts";
import { groupState, nameInGroup } from "../../presenters/group-presenter.ts";

export interface CachedMember {
  role: GroupRole;
  isMuted: boolean;
  quit: boolean;
  /** Where the newest stay began: what is written in it has ids above this. */
  stayFrom: number;
  /** How the person is called there. */
  name: string;
}

export interface CachedGroup {
  group: GroupRow;
  /** Those who have left too. */
  members: ReadonlyMap<number, CachedMember>;
  /** Who is in now. */
  memberIds: readonly number[];
  /** The highest `stayFrom` of those who are in. */
  newestStayFrom: number;
}

interface CacheEntry extends CachedGroup {
  /** Of its members, when it was read; there may be some more in it. */
  memberChanges: number;
}

export interface GroupCache {
  /** At once when remembered. `memberChanges`: so many at least are in it. Undefined: there is no such group. */
  find(groupId: number, memberChanges?: number): CachedGroup | undefined | Promise<CachedGroup | undefined>;
}

/** Members of all remembered groups together: some tens of megabytes. */
const MEMBERS_MAX = 200_000;

export function createGroupCache({
  store,
  bus,
  membersMax = MEMBERS_MAX,
}: {
  store: Reads & Pick<Store, "memberChanges">;
  bus: Bus;
  membersMax?: number;
}): GroupCache {
  /** The oldest first. */
  const entries = new Map<number, CacheEntry>();
  let cachedMembers = 0;
  let invalidations = 0;

  const evict = (groupId: number) => {
    cachedMembers -= entries.get(groupId)?.members.size ?? 0;
    entries.delete(groupId);
  };

  bus.subscribe((event) => {
    if (event.kind === "staleGroup") {
      invalidations++;
      evict(event.groupId);
    } else if (event.kind === "stale") {
      invalidations++;
      for (const [groupId, entry] of entries) {
        if (event.userIds.some((id) => entry.members.has(id))) evict(groupId);
      }
    }
  });

  const load = async (groupId: number): Promise<CachedGroup | undefined> => {
    const invalidationsBefore = invalidations;
    const memberChanges = await store.memberChanges(groupId);
    const entry = await loadGroup(store, groupId);
    // What was read while something changed is good for this answer only.
    if (entry === undefined || invalidationsBefore !== invalidations) return entry;
    // Another one may have asked for it at the same time.
    evict(groupId);
    for (const oldest of entries.keys()) {
      if (cachedMembers + entry.members.size <= membersMax) break;
      evict(oldest);
    }
    entries.set(groupId, { ...entry, memberChanges });
    cachedMembers += entry.members.size;
    return entry;
  };

  return {
    find(groupId, memberChanges = 0) {
      const entry = entries.get(groupId);
      return entry !== undefined && entry.memberChanges >= memberChanges ? entry : load(groupId);
    },
  };
}

/** The group as the store has it at this moment. */
export async function loadGroup(store: Reads, groupId: number): Promise<CachedGroup | undefined> {
  const group = await store.findGroup(groupId);
  if (group === undefined) return undefined;
  const rows = await store.listGroupMembers(groupId);
  const users = new Map(
    (await store.findUsers(rows.map((row) => row.userId))).map((user) => [user.id, user]),
  );
  const members = new Map(
    rows.map((row): [number, CachedMember] => {
      const name = nameInGroup(row, users.get(row.userId) ?? { nickName: "" });
      return [
        row.userId,
        { role: row.role, isMuted: row.isMuted, quit: row.quit, stayFrom: row.stayFrom, name },
      ];
    }),
  );
  const currentRows = rows.filter((row) => !row.quit);
  const memberIds = currentRows.map((row) => row.userId);
  const newestStayFrom = currentRows.reduce((newest, row) => Math.max(newest, row.stayFrom), 0);
  return { group, members, memberIds, newestStayFrom };
}

/** Refuses whoever was removed since the rights were looked at: asked in the transaction that stores. */
export async function requireMembership(
  tx: Pick<Reads, "findGroupMember">,
  groupId: number,
  userId: number,
): Promise<void> {
  const member = await tx.findGroupMember(groupId, userId);
  if (member === undefined || member.quit) throw new ApiError("message.notInGroup");
}

/** Refuses unless this person may do it, by the one table of rights; answers the person. */
export function authorizeInGroup(
  action: GroupAction,
  { group, members }: CachedGroup,
  userId: number,
  target?: GroupTarget,
): CachedMember {
  const me = members.get(userId);
  const result = checkGroupAction(action, me, groupState(group), target);
  if (result === "ok" && me !== undefined) return me;
  switch (result) {
    case "dissolved":
      throw new ApiError("group.dissolved", { name: group.name });
    case "banned":
      throw new ApiError("group.banned", { name: group.name, reason: group.banReason ?? "" });
    case "allMuted":
      throw new ApiError("message.allMuted");
    case "muted":
      throw new ApiError("message.muted");
    case "ok":
    case "notMember":
      throw new ApiError("message.notInGroup");
    case "noRight":
    case "ownerStays":
      throw new ApiError("group.noRight");
    default:
      return result satisfies never;
  }
}
