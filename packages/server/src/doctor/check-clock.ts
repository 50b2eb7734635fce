/** Whether clocks agree. */

import { type Finding, finding } from "@parley/protocol/findings";
import { CLOCK_TOLERANCE_MS, type ClockReading, otherClockAheadMs } from "../ports/clock-reading.ts";

/** Whether the clock of `whose` surely differs from that of this machine. Undefined: it was not read. */
export function clockFindings(whose: string, reading: ClockReading | undefined): Finding[] {
  const aheadMs = reading === undefined ? 0 : otherClockAheadMs(reading);
  if (aheadMs === 0) return [];
  const seconds = Math.round(Math.abs(aheadMs) / 1_000);
  return [finding(aheadMs > 0 ? "clockAhead" : "clockBehind", { whose, seconds })];
}

/** A clock, and one that only runs forward; ms. */
export interface Clocks {
  now(): number;
  monotonic(): number;
}

const CLOCKS: Clocks = { now: Date.now, monotonic: () => performance.now() };

/** Begins to watch the clock. The result returns a sentence if it was set since. */
export function watchClock({ now, monotonic }: Clocks = CLOCKS): () => string[] {
  const offset = now() - monotonic();
  return () => {
    const jump = now() - monotonic() - offset;
    if (Math.abs(jump) <= CLOCK_TOLERANCE_MS) return [];
    return [
      `The clock of this machine was set by ${Math.round(jump / 1_000)} s while it was watched: let it follow a time server (NTP) that adjusts it slowly.`,
    ];
  };
}
