import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type OpenedStore, openStore } from "../adapters/store/open-store.ts";
import { createJobLease } from "./job-lease.ts";
import { pauseRead } from "../testing/paused-store.ts";

let folder: string;
let store: OpenedStore;
let time: number;
const now = () => time;
const pass = async (ms: number, ...leases: { renew(): Promise<void> }[]) => {
  for (let passed = 0; passed < ms; passed += 1_000) {
    time += 1_000;
    for (const lease of leases) await lease.renew();
  }
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "parley-lease-"));
  store = await openStore({ url: join(folder, "parley.sqlite"), onFatal: () => undefined });
});
beforeEach(async () => {
  time = 1_000_000_000;
  await store.write((tx) => tx.setJobLease(null));
});
afterAll(async () => {
  await store.close();
  await rm(folder, { recursive: true });
});

describe("the lease of the jobs", () => {
  test("belongs to one node, which keeps it as long as it renews it", async () => {
    const [a, b] = [createJobLease(store, now), createJobLease(store, now)];
    expect(a.isHeld()).toBe(false);
    await pass(300_000, a, b);
    expect([a.isHeld(), b.isHeld()]).toEqual([true, false]);
  });

  test("is taken over within a minute from a node that has died, and not before that node itself would have stopped", async () => {
    const [a, b] = [createJobLease(store, now), createJobLease(store, now)];
    await pass(60_000, a, b);
    let both = 0;
    for (let second = 0; second < 60; second++) {
      await pass(1_000, b);
      if (a.isHeld() && b.isHeld()) both++;
    }
    expect([a.isHeld(), b.isHeld(), both]).toEqual([false, true, 0]);
    // The first one was only frozen.
    await pass(10_000, a, b);
    expect([a.isHeld(), b.isHeld()]).toEqual([false, true]);
  });

  test("is free at once when its node ends", async () => {
    const [a, b] = [createJobLease(store, now), createJobLease(store, now)];
    await pass(60_000, a, b);
    await a.release();
    await pass(5_000, b);
    expect([a.isHeld(), b.isHeld()]).toEqual([false, true]);
  });

  test("stays with the node that has taken it over when the one before ends", async () => {
    const [a, b] = [createJobLease(store, now), createJobLease(store, now)];
    await pass(60_000, a, b);
    // The first one is frozen, and told to end when it goes on.
    await pass(60_000, b);
    const lease = await store.findJobLease();
    await a.release();
    expect(await store.findJobLease()).toEqual(lease);
    await pass(5_000, b);
    expect(b.isHeld()).toBe(true);
  });

  test("is not taken again by a renewal that is under way when its node ends", async () => {
    const [a, b] = [createJobLease(store, now), createJobLease(store, now)];
    await pass(60_000, a);
    time += 10_000;
    const paused = pauseRead(store, "findJobLease");
    const renewing = a.renew();
    await paused.reached;
    const releasing = a.release();
    paused.release();
    await Promise.all([renewing, releasing]);
    expect([a.isHeld(), await store.findJobLease()]).toEqual([false, undefined]);
    await pass(10_000, a, b);
    expect([a.isHeld(), b.isHeld()]).toEqual([false, true]);
  });

  test("survives a clock that is set back", async () => {
    const [a, b] = [createJobLease(store, now), createJobLease(store, now)];
    await pass(60_000, a, b);
    time -= 900_000_000;
    await pass(20_000, a, b);
    expect([a.isHeld(), b.isHeld()]).toEqual([true, false]);
  });
});
