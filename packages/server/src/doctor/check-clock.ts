/** Whether clocks agree. */

/** When another machine was asked for its time, what it said, and when it was heard; epoch ms. */
export interface ClockReading {
  asked: number;
  told: number;
  heard: number;
}

/** Smaller differences do no harm. */
const DIFFERENCE_MAX_MS = 2_000;

/** By how many seconds a clock surely is ahead of that of this machine; 0 if it is at most two. */
export function secondsAhead({ asked, told, heard }: ClockReading): number {
  // It was told at some time between the two.
  const difference = told < asked ? told - asked : Math.max(0, told - heard);
  return Math.abs(difference) <= DIFFERENCE_MAX_MS ? 0 : Math.round(difference / 1_000);
}

/** A sentence if the clock of `whose` surely differs from that of this machine by more than two seconds. */
export function clockProblems(whose: string, reading: ClockReading): string[] {
  const ahead = secondsAhead(reading);
  if (ahead === 0) return [];
  const seconds = Math.abs(ahead);
  const direction = ahead > 0 ? "ahead of" : "behind";
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
