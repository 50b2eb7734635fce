/**
 * Points in the life of a write at which a test can stop the process. Nothing happens there unless a listener is set, and only
 * entry files of tests set one: no setting of the product can do it.
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

/** `flush` passes to the operating system what was written before this point. A returned promise holds up a caller that awaits it. */
export type FailpointListener = (point: Failpoint, flush?: () => void) => Promise<never> | undefined;

let listener: FailpointListener | undefined;

/** Sets the listener of all failpoints. */
export function onFailpoint(next: FailpointListener): void {
  listener = next;
}

/** Calls the listener at this point. */
export function failpoint(point: Failpoint, flush?: () => void): Promise<never> | undefined {
  return listener?.(point, flush);
}
