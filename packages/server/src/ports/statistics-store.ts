/** Numbers for administrators: the part of `store.ts` for them. */

/** What is counted. */
export interface StatisticsReads {
  /** `banned` does not count deregistered people. */
  countUsers(): Promise<{ all: number; banned: number; unregistered: number }>;
  /** Counts private and group messages. This takes a while in a large store, but does not block other work. */
  countMessages(): Promise<number>;
  countFiles(): Promise<{ count: number; bytes: number }>;
}
