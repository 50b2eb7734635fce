/** How people stand to each other, remembered: each message asks, and it changes seldom. */
import type { Bus } from "../../ports/bus.ts";
import type { Store } from "../../ports/store.ts";

/** May the sender write to this person? */
type Standing = "ok" | "notFriend" | "blockedYou";

interface Remembered {
  nickName: string;
  to: Map<number, Standing>;
}

export interface Standings {
  /** At once when remembered. Undefined sender: the account is gone. */
  find(sendId: number, recvId: number): Sender | Promise<Sender | undefined>;
}

/** Who sends, and how the receiver stands to that person. */
export interface Sender {
  nickName: string;
  standing: Standing;
}

const SENDERS_MAX = 10_000;
const PEERS_MAX = 5_000;

export function createStandings({ store, bus }: { store: Store; bus: Bus }): Standings {
  const senders = new Map<number, Remembered>();
  let changes = 0;

  bus.subscribe((event) => {
    if (event.kind !== "stale") return;
    changes++;
    // What changes between two people names both, so nobody else's memory holds it.
    for (const id of event.userIds) senders.delete(id);
  });

  const load = async (sendId: number, recvId: number): Promise<Sender | undefined> => {
    const before = changes;
    const [sender, friend, isBlocked] = await Promise.all([
      store.findUser(sendId),
      store.findFriend(recvId, sendId),
      store.isBlocked(recvId, sendId),
    ]);
    if (sender === undefined) return undefined;
    const isFriend = sendId === recvId || (friend !== undefined && !friend.isDeleted);
    const standing: Standing = isBlocked ? "blockedYou" : isFriend ? "ok" : "notFriend";
    // What was read while something changed is good for this answer only.
    if (before === changes) remember(sendId, sender.nickName, recvId, standing);
    return { nickName: sender.nickName, standing };
  };

  const remember = (sendId: number, nickName: string, recvId: number, standing: Standing) => {
    const known = senders.get(sendId) ?? { nickName, to: new Map<number, Standing>() };
    if (!senders.has(sendId)) {
      dropOldest(senders, SENDERS_MAX);
      senders.set(sendId, known);
    }
    dropOldest(known.to, PEERS_MAX);
    known.to.set(recvId, standing);
  };

  return {
    find(sendId, recvId) {
      const sender = senders.get(sendId);
      const standing = sender?.to.get(recvId);
      return sender === undefined || standing === undefined
        ? load(sendId, recvId)
        : { nickName: sender.nickName, standing };
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
