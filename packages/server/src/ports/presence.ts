/**
 * Which people are connected, over all nodes. What happens on a node is known there at once and elsewhere soon (that a device was heard within
 * 15 s); the entries of a node that dies vanish within 60 s. No call fails: while the nodes do not reach each other, each answers with what it
 * knows. Contract suite: `testing/contracts/presence-contract.ts`.
 */
export interface Presence {
  /** A socket opened. Sockets are counted, because several tabs may be open. */
  connected(socket: ConnectedSocket, now: number): void;
  disconnected(socket: ConnectedSocket): void;
  /** A page of this device has sent something, so it is not frozen. */
  heard(device: string, now: number): void;
  /** The terminals of each of these people who is online. */
  online(userIds: readonly number[]): Promise<Map<number, number[]>>;
  /**
   * The number of people who are online; undefined while the other nodes cannot be asked, because a part would look like the whole. Takes time
   * with their number, but blocks nobody: for administrators only.
   */
  countOnline(): Promise<number | undefined>;
  /** When a page of each of these devices was last heard (epoch ms); those without a socket are left out. */
  lastHeard(devices: readonly string[]): Promise<Map<string, number>>;
  close(): Promise<void>;
}

/** Whose socket it is, and of what kind. */
export interface ConnectedSocket {
  userId: number;
  terminal: number;
  /** See `deviceOf`. */
  device: string;
}

/** The device of a session: each tab of a browser may have a session of its own, but all have the same deviceNo. */
export function deviceOf(session: { userId: number; sessionId: string; deviceNo: string | null }): string {
  return session.deviceNo === null ? session.sessionId : `${session.userId} ${session.deviceNo}`;
}
