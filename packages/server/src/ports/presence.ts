/**
 * Which people are connected, over all nodes. The entries of a node that dies vanish within 60 s. Contract suite:
 * `testing/contracts/presence-contract.ts`.
 */
export interface Presence {
  /** A socket of this person and terminal opened. Sockets are counted, because several tabs may be open. */
  connected(userId: number, terminal: number): void;
  disconnected(userId: number, terminal: number): void;
  /** The terminals of each of these people who is online. */
  online(userIds: readonly number[]): Promise<Map<number, number[]>>;
  close(): Promise<void>;
}
