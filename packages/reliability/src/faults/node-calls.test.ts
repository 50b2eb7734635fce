/** Calls over nodes that are killed, with small numbers; `npm run test:full -- K35` runs them with their full numbers. */
import { afterEach, describe, expect, test } from "vitest";
import { findPostgres } from "@parley/server/testing/postgres-cluster";
import { REDIS, isRedisMissing } from "@parley/server/testing/redis-server";
import { stopAllDevices } from "./client-device.ts";
import { loseCallSignals } from "./lost-call-signals.ts";
import { type NodeCallsOptions, runNodeCalls } from "./node-calls.ts";
import { withTempFolder } from "./with-server.ts";

const TIMEOUT_MS = 240_000;
const seed = Number(process.env["SEED"] ?? Math.floor(Math.random() * 1_000_000));

const run = (options: Pick<NodeCallsOptions, "endMaxMs" | "keepsPeopleInCalls"> = {}) =>
  withTempFolder((dataDir) =>
    runNodeCalls({ dataDir, nodes: 2, clients: 4, kills: 1, timerSpeed: 10, seed, ...options }),
  );

const isMissing = isRedisMissing || findPostgres() === undefined;

describe.skipIf(isMissing)(`calls over two nodes on PostgreSQL and ${REDIS}`, { timeout: TIMEOUT_MS }, () => {
  afterEach(stopAllDevices);

  test("K35 end with one record each, and lock nobody, when a node is killed", async () => {
    const report = await run();
    expect(report.violations, report.name).toEqual([]);
  });

  test("K35 recover by themselves from what was signalled to a node that has just died", async () => {
    const report = await withTempFolder(loseCallSignals);
    expect(report.violations, report.name).toEqual([]);
  });

  test("a planted fault is reported: people who stay in calls that are over", async () => {
    const report = await run({ endMaxMs: 2_000, keepsPeopleInCalls: true });
    expect(report.violations.join()).toMatch(/\d people in calls are stored/);
  });
});
