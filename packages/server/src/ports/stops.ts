/**
 * Places in the life of a write at which a test ends the process, to see what is left of it. Nothing happens there unless something
 * listens, and only an entry of the tests does: no setting of the product can turn this on.
 */
export const STOP_POINTS = [
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
export type StopPoint = (typeof STOP_POINTS)[number];

/** `bringOut` hands to the system what was written before this point. An answer holds up whoever waits for it. */
export type StopListener = (point: StopPoint, bringOut?: () => void) => Promise<never> | undefined;

let listener: StopListener | undefined;

export function listenAtStops(heard: StopListener): void {
  listener = heard;
}

/** Tells that this point is passed. */
export function hit(point: StopPoint, bringOut?: () => void): Promise<never> | undefined {
  return listener?.(point, bringOut);
}
