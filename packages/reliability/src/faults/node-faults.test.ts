/** The faults of nodes with small numbers; `npm run test:full -- K14 K16` runs them with their full numbers. */
import { afterEach, describe, expect, test } from "vitest";
import { findPostgres } from "@parley/server/testing/postgres-cluster";
import { REDIS, isRedisMissing } from "@parley/server/testing/redis-server";
import { stopAllDevices } from "./client-device.ts";
import {
  NODE_FAULTS,
  type NodeFaultsOptions,
  REDIS_FAULTS,
  ROLLING_RESTART,
  runNodeFaults,
} from "./node-faults.ts";
import { withTempFolder } from "./with-server.ts";

const TIMEOUT_MS = 240_000;
const seed = Number(process.env["SEED"] ?? Math.floor(Math.random() * 1_000_000));

const run = (options: Pick<NodeFaultsOptions, "name" | "faults" | "mayHappen" | "flaws">) =>
  withTempFolder((dataDir) =>
    runNodeFaults({ dataDir, rounds: 1, nodes: 2, clients: 4, timerSpeed: 10, seed, ...options }),
  );

const isMissing = isRedisMissing || findPostgres() === undefined;

describe.skipIf(isMissing)(`two nodes on PostgreSQL and ${REDIS}`, { timeout: TIMEOUT_MS }, () => {
  afterEach(stopAllDevices);

  test("K14 K15 go on without Redis: everything arrives, and nobody is disconnected", async () => {
    const report = await run({ name: "K14", faults: REDIS_FAULTS, mayHappen: [] });
    expect(report.violations, report.name).toEqual([]);
  });

  test("K15 K16 lose and double nothing when nodes end or PostgreSQL is away", async () => {
    const mayHappen = ["disconnects", "failed sends"] as const;
    const report = await run({ name: "K16", faults: NODE_FAULTS, mayHappen });
    expect(report.violations, report.name).toEqual([]);
  });

  test("K16 all nodes end and start again one after the other, and no message fails or comes in another order", async () => {
    const report = await run({ name: "ROLLING", faults: ROLLING_RESTART, mayHappen: ["disconnects"] });
    expect(report.violations, report.name).toEqual([]);
  });

  test("planted faults are reported: a device that does not get all frames, and a message that is refused", async () => {
    const faults = { "no fault": async () => new Promise<void>((resolve) => setTimeout(resolve, 3_000)) };
    const flaws = ["a device loses frames", "a message is refused"] as const;
    const report = await run({ name: "planted", faults, mayHappen: [], flaws });
    expect(report.violations.join()).toMatch(/show the same/);
    expect(report.violations).toContain("1 messages had to be sent again by hand");
  });
});
