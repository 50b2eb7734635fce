/** The faults of nodes with small numbers; `npm run test:full -- K14 K16` runs them with their full numbers. */
import { afterEach, describe, expect, test } from "vitest";
import { findPostgres } from "@parley/server/testing/postgres-cluster";
import { REDIS, isRedisMissing } from "@parley/server/testing/redis-server";
import { stopAllDevices } from "./client-device.ts";
import { NODE_FAULTS, type NodeFaultsOptions, REDIS_FAULTS, runNodeFaults } from "./node-faults.ts";
import { withTempFolder } from "./with-server.ts";

const TIMEOUT_MS = 240_000;
const seed = Number(process.env["SEED"] ?? Math.floor(Math.random() * 1_000_000));

const run = (options: Pick<NodeFaultsOptions, "name" | "faults" | "keepsConnections" | "losesFrames">) =>
  withTempFolder((dataDir) =>
    runNodeFaults({ dataDir, rounds: 1, clients: 4, timerSpeed: 10, seed, ...options }),
  );

const isMissing = isRedisMissing || findPostgres() === undefined;

describe.skipIf(isMissing)(`two nodes on PostgreSQL and ${REDIS}`, { timeout: TIMEOUT_MS }, () => {
  afterEach(stopAllDevices);

  test("K14 K15 go on without Redis: everything arrives, and nobody is disconnected", async () => {
    const report = await run({ name: "K14", faults: REDIS_FAULTS, keepsConnections: true });
    expect(report.violations, report.name).toEqual([]);
  });

  test("K15 K16 lose and double nothing when nodes end or PostgreSQL is away", async () => {
    const report = await run({ name: "K16", faults: NODE_FAULTS, keepsConnections: false });
    expect(report.violations, report.name).toEqual([]);
  });

  test("a planted fault is reported: a device that does not get all frames", async () => {
    const faults = { "no fault": async () => new Promise<void>((resolve) => setTimeout(resolve, 3_000)) };
    const report = await run({ name: "planted", faults, keepsConnections: true, losesFrames: true });
    expect(report.violations.join()).toMatch(/show the same/);
  });
});
