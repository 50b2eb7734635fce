/** Whether clocks agree. */

/** When another machine was asked for its time, what it said, and when it was heard; epoch ms. */
export interface ClockReading {
  asked: number;
  told: number;
  heard: number;
}

/** Smaller differences do no harm. */
const DIFFERENCE_MAX_MS = 2_000;

/** A sentence if the clock of `whose` surely differs from that of this machine by more than two seconds. */
export function clockProblems(whose: string, { asked, told, heard }: ClockReading): string[] {
  // It was told at some time between the two.
  const difference = told < asked ? told - asked : Math.max(0, told - heard);
  if (Math.abs(difference) <= DIFFERENCE_MAX_MS) return [];
  const seconds = Math.round(Math.abs(difference) / 1_000);
  const direction = difference > 0 ? "ahead of" : "behind";
  return [
    `The clock of ${whose} is ${seconds} s ${direction} that of this machine: let both follow a time server (NTP).`,
  ];
}

/** A clock, and one that only runs forward; ms. */
export interface Clocks {
  now(): number;
  monotonic(): number;
}

const CLOCKS: Clocks = { now: Date.now, monotonic: () => performance.now() };

/** Begins to watch the clock. The result returns a sentence if it was set meanwhile. */
export function watchClock({ now, monotonic }: Clocks = CLOCKS): () => string[] {
  const offset = now() - monotonic();
  return () => {
    const jump = now() - monotonic() - offset;
    if (Math.abs(jump) <= DIFFERENCE_MAX_MS) return [];
    return [
      `The clock of this machine was set by ${Math.round(jump / 1_000)} s while it was watched: let it follow a time server (NTP) that adjusts it slowly.`,
    ];
  };
}
