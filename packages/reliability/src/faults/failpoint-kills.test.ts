import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ENDPOINTS, type EndpointName } from "@parley/protocol/endpoints/all";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Failpoint } from "@parley/server/ports/failpoints";
import { startFailpointServer } from "../controlled-servers.ts";
import { OPERATIONS, type Operation, isWrite, operationNamed } from "./operations.ts";
import { everyFailpoint, runFailpointKills } from "./failpoint-kills.ts";

let dataDir: string;
beforeEach(async () => void (dataDir = await mkdtemp(join(tmpdir(), "parley-failpoints-"))));
afterEach(() => rm(dataDir, { recursive: true, force: true }));

/** The most critical point: the write is stored, no client knows it, and the client retries. */
const STORED = ["afterCommit"] as const;
/** The writes that are killed at every failpoint here. `npm run test:full` does it with all writes. */
const AT_EVERY_POINT = ["private send", "group send"];
/** Of the other writes every third is killed here, because each kill takes the start of a server. */
const KILLED = new Set(OPERATIONS.filter((_, index) => index % 3 === 0));

test("K2 a server killed during a write stores none or all of it, and a retry gives the same state as without a fault", async () => {
  const { done, violations } = await runFailpointKills({
    dataDir,
    operations: OPERATIONS,
    killsOf: (operation, passCounts) => {
      if (AT_EVERY_POINT.includes(operation.name)) return everyFailpoint(passCounts, 1);
      return KILLED.has(operation) ? everyFailpoint(passCounts, 1, STORED) : [];
    },
  });
  process.stdout.write(`K2 ${done}\n`);
  expect(violations).toEqual([]);
}, 900_000);

test("every endpoint that writes is an operation", () => {
  const names = Object.keys(ENDPOINTS) as EndpointName[];
  const writing = names.filter(isWrite);
  const tested = new Set(OPERATIONS.map(({ endpoint }) => endpoint));
  expect(
    writing.filter((name) => !tested.has(name)),
    "give each of them at least one row in faults/writes.ts, `{}` if nothing is special",
  ).toEqual([]);
});

test("K2 reports a client that changes its tmpId, a client that does not retry, an unexpected failpoint, and a write that tells nobody", async () => {
  let sends = 0;
  const send = operationNamed("private send");
  const planted: Operation[] = [
    {
      ...send,
      name: "changes its tmpId",
      perform: (scenario, preparedId) =>
        send.perform({ ...scenario, tag: `${scenario.tag}${sends++}` }, preparedId),
    },
    {
      ...send,
      name: "does not retry",
      perform: (scenario, preparedId) =>
        send.perform(scenario, preparedId).catch(() => ({ code: 200, message: "", data: null })),
    },
    { ...send, name: "wrong failpoint", skippedFailpoints: ["afterInsert"] },
    {
      ...operationNamed("end all other sessions"),
      name: "tells nobody",
      skippedFailpoints: ["beforePublish", "afterPublish"],
      alternativeFailpoints: ["beforePushSelf", "beforePushPeer"],
    },
  ];
  const { violations } = await runFailpointKills({
    dataDir,
    operations: planted,
    killsOf: ({ name }, passCounts) =>
      everyFailpoint(passCounts, 1, ["wrong failpoint", "tells nobody"].includes(name) ? [] : STORED),
  });
  const of = (name: string) => violations.filter((violation) => violation.startsWith(name)).join("\n");
  expect(of("changes its tmpId")).toContain("done twice");
  expect(of("does not retry")).toContain("answered at the wrong time");
  expect(of("wrong failpoint")).toMatch(/^wrong failpoint: passes afterInsert; .*writes\.ts.*$/);
  expect(of("tells nobody")).toMatch(/^tells nobody: tells nobody; .*writes\.ts.*$/);
}, 120_000);

test("a server refuses to watch a failpoint that does not exist", async () => {
  const server = await startFailpointServer({ DATA_DIR: dataDir });
  await expect(server.watch({ failpoint: "afterComit" as Failpoint, pass: 1 })).rejects.toThrow(
    "ended with 1",
  );
  expect(server.output()).toContain("there is no failpoint afterComit");
});
