/** Caches whether one person may write to another: every message needs it, and it seldom changes. */
import type { Bus } from "../../ports/bus.ts";
import type { Store } from "../../ports/store.ts";

/** Whether the sender may write to this person. */
type Relationship = "ok" | "notFriend" | "blockedYou";

interface CacheEntry {
  nickName: string;
  relationshipTo: Map<number, Relationship>;
}

/** Answers who may write to whom. */
export interface FriendshipCache {
  /** Synchronous if the relationship is cached. Undefined if the sender's account does not exist. */
  find(sendId: number, recvId: number): Sender | Promise<Sender | undefined>;
}

/** The name of a sender, and their relationship to the receiver. */
export interface Sender {
  nickName: string;
  relationship: Relationship;
}

const SENDERS_MAX = 10_000;
const PEERS_MAX = 5_000;

export function createFriendshipCache({
  store,
  bus,
  sendersMax = SENDERS_MAX,
  peersMax = PEERS_MAX,
}: {
  store: Store;
  bus: Bus;
  sendersMax?: number;
  /** For each sender. */
  peersMax?: number;
}): FriendshipCache {
  const senders = new Map<number, CacheEntry>();
  let invalidations = 0;

  bus.subscribe((event) => {
    if (event.kind !== "stale") return;
    invalidations++;
    // An event about two people names both, so only their own entries can be stale.
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
    // What was read during an invalidation may be stale: answer it, but do not cache it.
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
    const entry = senders.get(sendId) ?? { nickName, relationshipTo: new Map<number, Relationship>() };
    if (!senders.has(sendId)) {
      dropOldest(senders, sendersMax);
      senders.set(sendId, entry);
    }
    dropOldest(entry.relationshipTo, peersMax);
    entry.relationshipTo.set(recvId, relationship);
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
