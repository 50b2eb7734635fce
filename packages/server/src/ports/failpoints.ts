/**
 * Points in the life of a write at which a test can stop the process. In the product nothing happens there: only the entry files of tests
 * pass something else to the server, and no setting can do it.
 */
export const FAILPOINTS = [
  "afterReceive",
  "afterAuthorise",
  "beforeBegin",
  "afterInsert",
  "beforeCommit",
  "afterCommit",
  "beforePublish",
  "afterPublish",
  "beforePushSelf",
  "beforePushPeer",
  "beforeAnswer",
  "afterAnswer",
] as const;
export type Failpoint = (typeof FAILPOINTS)[number];

/**
 * Called at each failpoint. `flush` passes to the operating system what was written before this point. A returned promise holds up a caller
 * that awaits it.
 */
export type PassFailpoint = (point: Failpoint, flush?: () => void) => Promise<never> | undefined;

/** Does nothing. */
export const noFailpoints: PassFailpoint = () => undefined;
