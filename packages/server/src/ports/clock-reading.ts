/** What another clock said, beside that of this machine. */

/** When another clock was asked for its time, what it said, and when that was heard; epoch ms. */
export interface ClockReading {
  asked: number;
  told: number;
  heard: number;
}

/** Clocks that differ by no more are taken to agree. */
export const CLOCK_TOLERANCE_MS = 2_000;

/** How many ms the other clock surely is ahead of that of this machine; 0 if they may agree. */
export function otherClockAheadMs({ asked, told, heard }: ClockReading): number {
  // It was told at some time between the two.
  const difference = told < asked ? told - asked : Math.max(0, told - heard);
  return Math.abs(difference) <= CLOCK_TOLERANCE_MS ? 0 : difference;
}
