/** Who may know that somebody is online: the person itself, friends and people of the same group, never across a block. */

interface RelationshipReads {
  listFriends(ownerId: number): Promise<readonly { friendId: number; isDeleted: boolean }[]>;
  listBlocked(ownerId: number): Promise<readonly number[]>;
  listBlockers(userId: number): Promise<readonly number[]>;
  listGroupPeers(userId: number, among: readonly number[]): Promise<readonly number[]>;
}

interface Presence {
  online(userIds: readonly number[]): Promise<Map<number, number[]>>;
}

/** Terminals of those people who are online and whom `me` may know to be. */
export async function findVisiblePresence(
  reads: RelationshipReads,
  presence: Presence,
  me: number,
  userIds: readonly number[],
): Promise<Map<number, number[]>> {
  const online = await presence.online(userIds);
  if (online.size === 0 || (online.size === 1 && online.has(me))) return online;
  const [friends, peers, blocked, blockers] = await Promise.all([
    reads.listFriends(me),
    reads.listGroupPeers(me, [...online.keys()]),
    reads.listBlocked(me),
    reads.listBlockers(me),
  ]);
  const known = new Set([me, ...peers]);
  for (const friend of friends) if (!friend.isDeleted) known.add(friend.friendId);
  for (const id of blocked) known.delete(id);
  for (const id of blockers) known.delete(id);
  return new Map([...online].filter(([id]) => known.has(id)));
}
