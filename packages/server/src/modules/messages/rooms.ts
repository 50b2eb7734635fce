/** Groups and who is in them as what, remembered: each message asks, and it changes seldom. */
import type { GroupRole } from "@parley/protocol/codes";
import { type GroupAction, type GroupTarget, judgeGroupAction } from "@parley/protocol/group-rights";
import type { Bus } from "../../ports/bus.ts";
import { Refusal } from "../../ports/call.ts";
import type { GroupRow } from "../../ports/groups.ts";
import type { Reads, Store } from "../../ports/store.ts";
import { groupState, nameInGroup } from "../../rules/groups.ts";

export interface RoomMember {
  role: GroupRole;
  isMuted: boolean;
  quit: boolean;
  /** Where the newest stay began: what is written in it has ids above this. */
  stayFrom: number;
  /** How the person is called there. */
  name: string;
}

export interface Room {
  group: GroupRow;
  /** Those who have left too. */
  members: ReadonlyMap<number, RoomMember>;
  /** Who is in now. */
  memberIds: readonly number[];
  /** The highest `stayFrom` of those who are in. */
  newestStayFrom: number;
}

interface Remembered extends Room {
  /** Of its members, when it was read; there may be some more in it. */
  memberChanges: number;
}

export interface Rooms {
  /** At once when remembered. `memberChanges`: so many at least are in it. Undefined: there is no such group. */
  find(groupId: number, memberChanges?: number): Room | undefined | Promise<Room | undefined>;
}

/** Members of all remembered groups together: some tens of megabytes. */
const MEMBERS_MAX = 200_000;

export function createRooms({
  store,
  bus,
  membersMax = MEMBERS_MAX,
}: {
  store: Reads & Pick<Store, "memberChanges">;
  bus: Bus;
  membersMax?: number;
}): Rooms {
  /** The oldest first. */
  const rooms = new Map<number, Remembered>();
  let members = 0;
  let changes = 0;

  const forget = (groupId: number) => {
    members -= rooms.get(groupId)?.members.size ?? 0;
    rooms.delete(groupId);
  };

  bus.subscribe((event) => {
    if (event.kind === "staleGroup") {
      changes++;
      forget(event.groupId);
    } else if (event.kind === "stale") {
      changes++;
      for (const [groupId, room] of rooms) {
        if (event.userIds.some((id) => room.members.has(id))) forget(groupId);
      }
    }
  });

  const load = async (groupId: number): Promise<Room | undefined> => {
    const before = changes;
    const memberChanges = await store.memberChanges(groupId);
    const room = await loadRoom(store, groupId);
    // What was read while something changed is good for this answer only.
    if (room === undefined || before !== changes) return room;
    // Another one may have asked for it at the same time.
    forget(groupId);
    for (const oldest of rooms.keys()) {
      if (members + room.members.size <= membersMax) break;
      forget(oldest);
    }
    rooms.set(groupId, { ...room, memberChanges });
    members += room.members.size;
    return room;
  };

  return {
    find(groupId, memberChanges = 0) {
      const room = rooms.get(groupId);
      return room !== undefined && room.memberChanges >= memberChanges ? room : load(groupId);
    },
  };
}

/** The group as the store has it at this moment. */
export async function loadRoom(store: Reads, groupId: number): Promise<Room | undefined> {
  const group = await store.findGroup(groupId);
  if (group === undefined) return undefined;
  const rows = await store.listGroupMembers(groupId);
  const users = new Map(
    (await store.findUsers(rows.map((row) => row.userId))).map((user) => [user.id, user]),
  );
  const members = new Map(
    rows.map((row): [number, RoomMember] => {
      const name = nameInGroup(row, users.get(row.userId) ?? { nickName: "" });
      return [
        row.userId,
        { role: row.role, isMuted: row.isMuted, quit: row.quit, stayFrom: row.stayFrom, name },
      ];
    }),
  );
  const inNow = rows.filter((row) => !row.quit);
  const memberIds = inNow.map((row) => row.userId);
  const newestStayFrom = inNow.reduce((newest, row) => Math.max(newest, row.stayFrom), 0);
  return { group, members, memberIds, newestStayFrom };
}

/** Refuses whoever was removed since the rights were looked at: asked in the transaction that stores. */
export async function refuseUnlessIn(
  tx: Pick<Reads, "findGroupMember">,
  groupId: number,
  userId: number,
): Promise<void> {
  const member = await tx.findGroupMember(groupId, userId);
  if (member === undefined || member.quit) throw new Refusal("message.notInGroup");
}

/** Refuses unless this person may do it, by the one table of rights; answers the person. */
export function refuseUnlessMay(
  action: GroupAction,
  { group, members }: Room,
  userId: number,
  target?: GroupTarget,
): RoomMember {
  const me = members.get(userId);
  const verdict = judgeGroupAction(action, me, groupState(group), target);
  if (verdict === "ok" && me !== undefined) return me;
  switch (verdict) {
    case "dissolved":
      throw new Refusal("group.dissolved", { name: group.name });
    case "banned":
      throw new Refusal("group.banned", { name: group.name, reason: group.banReason ?? "" });
    case "allMuted":
      throw new Refusal("message.allMuted");
    case "muted":
      throw new Refusal("message.muted");
    case "ok":
    case "notMember":
      throw new Refusal("message.notInGroup");
    case "noRight":
    case "ownerStays":
      throw new Refusal("group.noRight");
    default:
      return verdict satisfies never;
  }
}
