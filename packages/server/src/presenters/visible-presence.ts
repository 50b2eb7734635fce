/** Presence is visible to the person, to friends and to members of the same group, but never across a block. */

interface RelationshipReads {
  listFriends(ownerId: number): Promise<readonly { friendId: number; isDeleted: boolean }[]>;
  listBlocked(ownerId: number): Promise<readonly number[]>;
  listBlockers(userId: number): Promise<readonly number[]>;
  listGroupPeers(userId: number, among: readonly number[]): Promise<readonly number[]>;
}

interface Presence {
  online(userIds: readonly number[]): Promise<Map<number, number[]>>;
}

/** The terminals of each of these people who is online and whose presence `me` may see. */
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
  const visibleIds = new Set([me, ...peers]);
  for (const friend of friends) if (!friend.isDeleted) visibleIds.add(friend.friendId);
  for (const id of blocked) visibleIds.delete(id);
  for (const id of blockers) visibleIds.delete(id);
  return new Map([...online].filter(([id]) => visibleIds.has(id)));
}
