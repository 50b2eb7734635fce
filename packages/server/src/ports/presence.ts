/**
 * Who is connected, over all nodes. A node's entries vanish within 60 s of its death. Contract suite:
 * `testing/contracts/presence-contract.ts`.
 */
export interface Presence {
  /** A socket of this person and terminal opened; counted, since tabs live together. */
  connected(userId: number, terminal: number): void;
  disconnected(userId: number, terminal: number): void;
  /** Terminals by person, only those online. */
  online(userIds: readonly number[]): Promise<Map<number, number[]>>;
  close(): Promise<void>;
}
