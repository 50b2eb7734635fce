/**
 * Which node runs the jobs that all nodes need once. The holder changes a number in the store every few seconds. A node that has seen the same
 * number for long enough takes over, so no two clocks have to agree.
 */
import { randomBytes } from "node:crypto";
import type { JobLeaseReads, JobLeaseRow, JobLeaseWrites } from "../ports/job-lease-store.ts";
import type { Transactions } from "../ports/store.ts";

/** How often the holder renews the lease and the others look at it. */
const RENEW_MS = 5_000;
/** After this time without a renewal another node takes over. */
const LOST_MS = 30_000;
/** The holder gives up earlier than that, so that two nodes never both believe to have it. */
const HELD_MS = 20_000;

/** The right to run the jobs. */
export interface JobLease {
  /** Whether this node runs the jobs now. */
  isHeld(): boolean;
  /** Takes or renews the lease if that is due. Called every second. */
  renew(): Promise<void>;
  /** Lets another node take over at once. This one does not take the lease again, not even by a renewal that is under way. */
  release(): Promise<void>;
}

/** For a server that is alone. */
export const ownLease: JobLease = {
  isHeld: () => true,
  renew: async () => undefined,
  release: async () => undefined,
};

/** The lease of one of several nodes, which does not have it yet. */
export function createJobLease(
  store: JobLeaseReads & Transactions<JobLeaseReads & JobLeaseWrites>,
  now: () => number,
): JobLease {
  const holder = randomBytes(9).toString("base64url");
  let nextAt = -Infinity;
  let heldUntil = -Infinity;
  /** The lease of another node, and since when it has been the same. */
  let seen: (JobLeaseRow & { since: number }) | undefined;
  let taking: Promise<void> = Promise.resolve();
  let isReleased = false;

  /** Whether the lease is free, or its holder has been silent for too long. */
  const isFree = (lease: JobLeaseRow | undefined, time: number): boolean => {
    if (lease === undefined || lease.holder === holder) return true;
    const isSame = seen?.holder === lease.holder && seen.beat === lease.beat && seen.since <= time;
    if (!isSame) seen = { ...lease, since: time };
    return seen !== undefined && time - seen.since >= LOST_MS;
  };

  const take = async (time: number): Promise<void> => {
    if (!isFree(await store.findJobLease(), time)) return;
    const isTaken = await store.write(async (tx) => {
      const lease = await tx.findJobLease();
      if (isReleased || !isFree(lease, time)) return false;
      await tx.setJobLease({ holder, beat: (lease?.beat ?? 0) + 1 });
      return true;
    });
    heldUntil = isTaken ? time + HELD_MS : -Infinity;
  };

  return {
    // After the clock was set back, the lease ends earlier and is renewed.
    isHeld: () => now() < heldUntil && heldUntil - now() <= HELD_MS,
    async renew() {
      const time = now();
      if (isReleased || (time < nextAt && nextAt - time <= RENEW_MS)) return;
      nextAt = time + RENEW_MS;
      taking = take(time);
      await taking;
    },
    async release() {
      isReleased = true;
      // The caller of `renew` gets its error.
      await Promise.allSettled([taking]);
      heldUntil = -Infinity;
      // Another node may have taken it over.
      if ((await store.findJobLease())?.holder !== holder) return;
      await store.write(async (tx) => {
        if ((await tx.findJobLease())?.holder === holder) await tx.setJobLease(null);
      });
    },
  };
}
