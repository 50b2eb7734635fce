/** How people stand to each other, remembered: each message asks, and it changes seldom. */
import type { Bus } from "../../ports/bus.ts";
import type { Store } from "../../ports/store.ts";

/** May the sender write to this person? */
type Relationship = "ok" | "notFriend" | "blockedYou";

interface CacheEntry {
  nickName: string;
  relationshipTo: Map<number, Relationship>;
}

export interface FriendshipCache {
  /** At once when remembered. Undefined sender: the account is gone. */
  find(sendId: number, recvId: number): Sender | Promise<Sender | undefined>;
}

/** Who sends, and how the receiver stands to that person. */
export interface Sender {
  nickName: string;
  relationship: Relationship;
}

const SENDERS_MAX = 10_000;
const PEERS_MAX = 5_000;

export function createFriendshipCache({ store, bus }: { store: Store; bus: Bus }): FriendshipCache {
  const senders = new Map<number, CacheEntry>();
  let invalidations = 0;

  bus.subscribe((event) => {
    if (event.kind !== "stale") return;
    invalidations++;
    // What changes between two people names both, so nobody else's memory holds it.
    for (const id of event.userIds) senders.delete(id);
  });

  const load = async (sendId: number, recvId: number): Promise<Sender | undefined> => {
    const invalidationsBefore = invalidations;
    const [sender, friend, isBlocked] = await Promise.all([
      store.findUser(sendId),
      store.findFriend(recvId, sendId),
      store.isBlocked(recvId, sendId),
    ]);
    if (sender === undefined) return undefined;
    const isFriend = sendId === recvId || (friend !== undefined && !friend.isDeleted);
    const relationship: Relationship = isBlocked ? "blockedYou" : isFriend ? "ok" : "notFriend";
    // What was read while something changed is good for this answer only.
    if (invalidationsBefore === invalidations)
      cacheRelationship(sendId, sender.nickName, recvId, relationship);
    return { nickName: sender.nickName, relationship };
  };

  const cacheRelationship = (
    sendId: number,
    nickName: string,
    recvId: number,
    relationship: Relationship,
  ) => {
    const known = senders.get(sendId) ?? { nickName, relationshipTo: new Map<number, Relationship>() };
    if (!senders.has(sendId)) {
      dropOldest(senders, SENDERS_MAX);
      senders.set(sendId, known);
    }
    dropOldest(known.relationshipTo, PEERS_MAX);
    known.relationshipTo.set(recvId, relationship);
  };

  return {
    find(sendId, recvId) {
      const sender = senders.get(sendId);
      const relationship = sender?.relationshipTo.get(recvId);
      return sender === undefined || relationship === undefined
        ? load(sendId, recvId)
        : { nickName: sender.nickName, relationship };
    },
  };
}

function dropOldest<K>(map: Map<K, unknown>, max: number): void {
  if (map.size < max) return;
  for (const oldest of map.keys()) {
    map.delete(oldest);
    return;
  }
}
