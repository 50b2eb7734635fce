/**
 * Carries what happened to every node: pushes to people and invalidations. In one process it is a function
 * call; between several it is Redis. Nobody upstream can tell.
 *
 * Rules: events of one publisher arrive in the order of publishing, at most once; `publish` never throws and
 * never waits: a lost event is healed by the next pull. Contract suite: `testing/contracts/bus-contract.ts`.
 */
import type { LogoutReason } from "@parley/protocol/envelope";

/** Which live sockets of a person an event is for. */
export interface Audience {
  userIds: readonly number[];
  /**
   * Not to this client instance or, for clients without one, not to this session: nobody hears an echo of
   * itself.
   */
  except?: { userId: number; clientId: string | null; sessionId: string };
  /** Only to these sockets, by the ids that their gateways gave them (an offline pull). */
  sockets?: readonly string[];
  /** Only to sockets that logged in with this cap. */
  capability?: string;
}

export type BusEvent =
  | { kind: "push"; audience: Audience; frame: string }
  /** Sockets of these sessions get cmd 2 with the reason, then 4001; their tokens die on every node. */
  | {
      kind: "endSessions";
      userId: number;
      sessionIds: readonly string[];
      reason: LogoutReason;
      /** Beside these, those of the person that the store does not know yet: all but this one; null: all. */
      allBut?: string | null;
    }
  /** A socket of this (user, terminal) logged in: sockets of other devices are kicked on every node. */
  | {
      kind: "kick";
      userId: number;
      terminal: number;
      deviceNo: string | null;
      sessionId: string;
      exceptSocketId: string;
    }
  /** Cached facts about these people (profile, friendships, blocks) are stale. */
  | { kind: "stale"; userIds: readonly number[] }
  /** Cached facts about this group (itself, who is in it and as what) are stale. */
  | { kind: "staleGroup"; groupId: number };

/** Whether a session of that person is meant. */
export function endsSession(event: Extract<BusEvent, { kind: "endSessions" }>, sessionId: string): boolean {
  return event.sessionIds.includes(sessionId) || (event.allBut !== undefined && event.allBut !== sessionId);
}

export interface Bus {
  publish(event: BusEvent): void;
  /** Answers a function that ends the subscription. */
  subscribe(listener: (event: BusEvent) => void): () => void;
  close(): Promise<void>;
}
