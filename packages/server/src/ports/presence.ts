/**
 * Which people are connected, over all nodes. The entries of a node that dies vanish within 60 s. Contract suite:
 * `testing/contracts/presence-contract.ts`.
 */
export interface Presence {
  /** A socket of this session opened. Sockets are counted, because several tabs may be open. */
  connected(socket: ConnectedSocket, now: number): void;
  disconnected(socket: ConnectedSocket): void;
  /** The client behind a socket of this session has sent something, so it is not frozen. */
  heard(sessionId: string, now: number): void;
  /** The terminals of each of these people who is online. */
  online(userIds: readonly number[]): Promise<Map<number, number[]>>;
  /** When each of these sessions was last heard (epoch ms); those without a socket are left out. */
  lastHeard(sessionIds: readonly string[]): Promise<Map<string, number>>;
  close(): Promise<void>;
}

/** Whose socket it is, and of what kind. */
export interface ConnectedSocket {
  userId: number;
  terminal: number;
  sessionId: string;
}
