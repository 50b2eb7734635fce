const HALF_SECOND_MS = 500;

/**
 * How many ms the clock of this device is ahead of the server's, after a question and its answer. `serverTime` is in whole seconds, and the
 * server read its clock somewhere between both: this is right to half a second and half of the time that the answer took.
 */
export function clockAhead(startedAt: number, endedAt: number, serverTime: number): number {
  return (startedAt + endedAt) / 2 - (serverTime + HALF_SECOND_MS);
}
