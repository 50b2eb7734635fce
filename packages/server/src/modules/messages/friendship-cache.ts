/** Caches whether one person may write to another: every message needs it, and it seldom changes. */
import { isFriend } from "../../access/people.ts";
import { dropOldest } from "../../collections/maps.ts";
import type { Bus } from "../../ports/bus.ts";
import type { MessagesReads } from "./messages-store.ts";

/** Whether the sender may write to this person. */
type Relationship = "ok" | "notFriend" | "blockedYou";

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
  store: Pick<MessagesReads, "findUser" | "findFriend" | "isBlocked">;
  bus: Bus;
  sendersMax?: number;
  /** For each sender. */
  peersMax?: number;
}): FriendshipCache {
  /** What each sender may do, by receiver; the oldest first. */
  const senders = new Map<number, Map<number, Sender>>();
  let invalidations = 0;

  bus.subscribe((event) => {
    if (event.kind === "interrupted") {
      invalidations++;
      senders.clear();
    } else if (event.kind === "stale") {
      invalidations++;
      // An event about two people names both, so only their own entries can be stale.
      for (const id of event.userIds) senders.delete(id);
    }
  });

  const load = async (sendId: number, recvId: number): Promise<Sender | undefined> => {
    const invalidationsBefore = invalidations;
    const [user, friend, isBlocked] = await Promise.all([
      store.findUser(sendId),
      store.findFriend(recvId, sendId),
      store.isBlocked(recvId, sendId),
    ]);
    if (user === undefined) return undefined;
    const mayWrite = sendId === recvId || isFriend(friend);
    const relationship: Relationship = isBlocked ? "blockedYou" : mayWrite ? "ok" : "notFriend";
    const sender: Sender = { nickName: user.nickName, relationship };
    // What was read during an invalidation may be stale: answer it, but do not cache it.
    if (invalidationsBefore === invalidations) cache(sendId, recvId, sender);
    return sender;
  };

  const cache = (sendId: number, recvId: number, sender: Sender) => {
    const peers = senders.get(sendId) ?? new Map<number, Sender>();
    if (!senders.has(sendId)) {
      dropOldest(senders, sendersMax);
      senders.set(sendId, peers);
    }
    dropOldest(peers, peersMax);
    peers.set(recvId, sender);
  };

  return { find: (sendId, recvId) => senders.get(sendId)?.get(recvId) ?? load(sendId, recvId) };
}
