/**
 * Carries pushes and cache invalidations to every node. In one process it is a function call; between several
 * it is Redis.
 *
 * Rules: events of one publisher arrive in the order of publishing, at most once; those of the own node before `publish` returns. `publish`
 * never throws and never waits. Events of other nodes can be lost, and listeners are told so by `interrupted`: the next pull brings the
 * messages, and what is cached is read again. Contract suite: `testing/contracts/bus-contract.ts`.
 */
import type { ChatType } from "@parley/protocol/codes";
import type { LogoutReason } from "@parley/protocol/envelope";

/** A page load or app start of a person; clients that name none are told apart by their sessions. */
export interface ClientInstance {
  userId: number;
  clientId: string | null;
  sessionId: string;
}

/** The sockets that an event is for. */
export interface Audience {
  userIds: readonly number[];
  /** Not to this client instance: a client gets no echo of its own actions. */
  except?: ClientInstance;
  /** Only to this client instance. */
  only?: ClientInstance;
  /** Only to these sockets, by the ids that their gateways gave them (an offline pull). */
  sockets?: readonly string[];
  /** Only to sockets that logged in with this capability. */
  capability?: string | undefined;
}

/** What a node asks the others. */
export type ClusterQuery =
  /** A client whose socket may be yours pulls: who has it sends the rows. */
  | {
      about: "pull";
      type: ChatType;
      minId: number;
      actor: ClientInstance & { terminal: number; deviceNo: string | null };
      language: string;
    }
  /** Whether you have a socket of this person that is of none of these clients. */
  | { about: "otherClient"; userId: number; except: readonly Omit<ClientInstance, "userId">[] };

/** "refused": the node has the socket, and too much waits for it already. A node that has nothing to say does not answer. */
export type ClusterAnswer = "yes" | "refused";

/** What the listeners of a node hear. */
export type BusEvent =
  | PublishedEvent
  /**
   * Events between nodes may have been lost in the last `gapMs`: whatever is cached may be stale, and sessions may have ended.
   */
  | { kind: "interrupted"; gapMs: number };

/** What one node tells all nodes. */
export type PublishedEvent =
  | { kind: "push"; audience: Audience; frame: string }
  /** Sockets of these sessions get cmd 2 with the reason, then close code 4001; every node rejects their tokens. */
  | {
      kind: "endSessions";
      userId: number;
      sessionIds: readonly string[];
      reason: LogoutReason;
      /** Also ends the sessions of the person that are not stored yet, except this one; null ends all of them. */
      allBut?: string | null;
    }
  /** A socket of this (user, terminal) logged in: older sockets of other devices are kicked on every node. */
  | {
      kind: "kick";
      userId: number;
      terminal: number;
      deviceNo: string | null;
      sessionId: string;
      exceptSocketId: string;
      /** Only sockets with a smaller one. */
      loginOrder: number;
    }
  /** What is cached about these people (profile, friendships, blocks) is stale. */
  | { kind: "stale"; userIds: readonly number[] }
  /** What is cached about this group (itself, its members and their roles) is stale. */
  | { kind: "staleGroup"; groupId: number }
  /** This person has subscribed a device to web push. */
  | { kind: "webPushSubscribed"; userId: number }
  /**
   * What devices without a page were told of a chat is over for these people: it was read up to this position, the message there was recalled,
   * or its call rings no longer. The node that has told them takes it back.
   */
  | {
      kind: "alertsOver";
      userIds: readonly number[];
      chat: { type: ChatType; targetId: number };
      by: "read" | "recalled" | "callOver";
      position: number;
    }
  /** An administrator has changed a setting that needs no restart. */
  | { kind: "settingsChanged" }
  /** A node asks; `id` is unique over all nodes. */
  | { kind: "query"; id: string; query: ClusterQuery }
  | { kind: "answer"; id: string; answer: ClusterAnswer }
  /** This client counts as one without a socket in its call. A node that has a socket of it says otherwise. */
  | { kind: "callClientDetached"; client: ClientInstance };

/** Whether the event ends this session of its person. */
export function endsSession(event: Extract<BusEvent, { kind: "endSessions" }>, sessionId: string): boolean {
  return event.sessionIds.includes(sessionId) || (event.allBut !== undefined && event.allBut !== sessionId);
}

/** The connection between all nodes. */
export interface Bus {
  publish(event: PublishedEvent): void;
  /** Returns a function that ends the subscription. */
  subscribe(listener: (event: BusEvent) => void): () => void;
  close(): Promise<void>;
}
