/**
 * Places in the life of a write at which a test ends the process, to see what is left of it. Nothing happens there unless something
 * listens, and only an entry of the tests does: no setting of the product can turn this on.
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

/** `bringOut` hands to the system what was written before this point. An answer holds up whoever waits for it. */
export type FailpointListener = (point: Failpoint, bringOut?: () => void) => Promise<never> | undefined;

let listener: FailpointListener | undefined;

export function onFailpoint(next: FailpointListener): void {
  listener = next;
}

/** Tells that this point is passed. */
export function failpoint(point: Failpoint, flush?: () => void): Promise<never> | undefined {
  return listener?.(point, flush);
}
