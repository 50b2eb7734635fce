/** Caches groups with their members and roles: every message needs them, and they seldom change. */
import type { GroupRole } from "@parley/protocol/codes";
import type { GroupAction, GroupTarget } from "@parley/protocol/group-rights";
import { authorize } from "../../access/group-access.ts";
import type { Bus } from "../../ports/bus.ts";
import { ApiError } from "../../api/api-error.ts";
import type { GroupMessageStore } from "../../ports/group-message-store.ts";
import type { GroupRow } from "../../ports/group-store.ts";
import { nameInGroup } from "../../presenters/group-presenter.ts";
import type { MessagesReads } from "./messages-store.ts";

/** A current or former member of a cached group. */
export interface CachedMember {
  role: GroupRole;
  isMuted: boolean;
  quit: boolean;
  /** Where the newest stay began: its messages have ids above this. */
  stayFrom: number;
  /** The name of the person in this group. */
  name: string;
}

/** A group with its members, as it was read from the store. */
export interface CachedGroup {
  group: GroupRow;
  /** Includes former members. */
  members: ReadonlyMap<number, CachedMember>;
  /** The current members. */
  memberIds: readonly number[];
  /** The highest `stayFrom` of the current members. */
  newestStayFrom: number;
}

interface CacheEntry extends CachedGroup {
  /** The number of member changes before the group was read. The entry may contain later ones too. */
  memberChanges: number;
}

/** Answers groups with their members. */
export interface GroupCache {
  /** Synchronous if the group is cached with at least `memberChanges` member changes. Undefined if there is no such group. */
  find(groupId: number, memberChanges?: number): CachedGroup | undefined | Promise<CachedGroup | undefined>;
}

/** What a group is loaded with. */
type GroupReads = Pick<MessagesReads, "findGroup" | "listGroupMembers" | "findUsers">;

/** Members of all cached groups together: some tens of megabytes. */
const MEMBERS_MAX = 200_000;

export function createGroupCache({
  store,
  bus,
  membersMax = MEMBERS_MAX,
}: {
  store: GroupReads & Pick<GroupMessageStore, "memberChanges">;
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
    if (event.kind === "interrupted") {
      invalidations++;
      for (const groupId of entries.keys()) evict(groupId);
    } else if (event.kind === "staleGroup") {
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
    // What was read during an invalidation may be stale: answer it, but do not cache it.
    if (entry === undefined || invalidationsBefore !== invalidations) return entry;
    // A parallel load may have cached the group meanwhile.
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

/** Reads a group with its members from the store. */
export async function loadGroup(store: GroupReads, groupId: number): Promise<CachedGroup | undefined> {
  const group = await store.findGroup(groupId);
  if (group === undefined) return undefined;
  const rows = await store.listGroupMembers(groupId);
  const users = await store.findUsers(rows.map((row) => row.userId));
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

/** Throws if the person was removed since the rights were checked. Call it in the transaction that stores. */
export async function requireMembership(
  tx: Pick<MessagesReads, "findGroupMember">,
  groupId: number,
  userId: number,
): Promise<void> {
  const member = await tx.findGroupMember(groupId, userId);
  if (member === undefined || member.quit) throw new ApiError("message.notInGroup");
}

/** Throws unless the table of rights allows the action to this person. Returns the person's membership. */
export function authorizeInGroup(
  action: GroupAction,
  { group, members }: CachedGroup,
  userId: number,
  target?: GroupTarget,
): CachedMember {
  return authorize(action, group, members.get(userId), target);
}
