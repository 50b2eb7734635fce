/** The network batteries with small numbers; `npm run test:full -- K20` runs one with its full numbers. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type ServerProcess, startServer } from "@parley/server/testing/server-process";
import { type ClockServer, startClockServer } from "../controlled-servers.ts";
import { runClockJumps } from "./clock-jumps.ts";
import { stopAllDevices } from "./client-device.ts";
import { runTokenExpiry } from "./token-expiry.ts";
import { runFlappingNetwork } from "./flapping-network.ts";
import { FOREIGN_RESPONSES, SESSION_OVER_RESPONSE, runForeignResponses } from "./foreign-responses.ts";
import { runServerFreezes, runServerShutdowns } from "./server-freezes.ts";
import { CLIENT_ACTIONS, runLostResponses } from "./lost-responses.ts";
import { withTempFolder } from "./with-server.ts";
import { OPERATIONS, type Operation, operationNamed } from "./operations.ts";
import { runInterruptedUploads } from "./interrupted-uploads.ts";
import { runInterruptedPulls } from "./interrupted-pulls.ts";
import { runReorderedFrames } from "./reordered-frames.ts";
import type { Report } from "./report.ts";
import { runSlowReaders } from "./slow-readers.ts";
import { runReconnectStorm } from "./reconnect-storm.ts";

const TIMEOUT_MS = 240_000;
const HOUR_MS = 3_600_000;
const seed = Number(process.env["SEED"] ?? Math.floor(Math.random() * 1_000_000));

let folder: string;
let server: ServerProcess;
let url: string;
let clockServer: ClockServer;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "parley-network-"));
  [server, clockServer] = await Promise.all([
    startServer({ DATA_DIR: join(folder, "one"), RATE_LIMITS: "off" }),
    startClockServer({ DATA_DIR: join(folder, "two") }),
  ]);
  url = server.url;
}, TIMEOUT_MS);
afterEach(stopAllDevices);
afterAll(async () => {
  for (const one of [server, clockServer]) {
    one.kill("SIGKILL");
    await one.exited;
  }
  await rm(folder, { recursive: true, force: true });
});

function expectNoViolations({ name, done, violations }: Report): void {
  process.stdout.write(`${name}: ${done}\n`);
  expect(violations).toEqual([]);
}

describe(`the network (SEED=${seed})`, { timeout: TIMEOUT_MS }, () => {
  test("K4 a server frozen for a second loses nothing and shows people as offline who left in that time", async () => {
    expectNoViolations(await runServerFreezes({ server, seconds: [1], timerSpeed: 50 }));
  });

  test("K18 a clock jump does not reorder messages, sign people out or prolong rate limits", async () => {
    expectNoViolations(await runClockJumps({ server: clockServer, byMs: [-HOUR_MS, HOUR_MS] }));
  });

  test("K20 a client disconnected anywhere in its pull ends with the same state as an undisturbed client", async () => {
    expectNoViolations(await runInterruptedPulls({ url, seed, rows: 40, every: 8 }));
  });

  test("K21 a write whose response was lost takes effect once when it is repeated, and no error is shown", async () => {
    const operations = OPERATIONS.filter(({ name }) => ["private send", "group edit"].includes(name));
    const names = ["join group", "transfer group", "approve friend", "delete friend", "change password"];
    const clientActions = CLIENT_ACTIONS.filter(({ name }) => names.includes(name));
    expectNoViolations(await runLostResponses({ url, operations, clientActions }));
  });

  test("K22 duplicated and reordered frames do not change the final state", async () => {
    expectNoViolations(await runReorderedFrames({ url, seed, scenarios: 1, actions: 60 }));
  });

  test("K23 clients that are all disconnected at once reconnect at the first attempt and miss nothing", async () => {
    expectNoViolations(
      await withTempFolder((dataDir) =>
        runReconnectStorm({ dataDir, clients: 12, storms: 1, timerSpeed: 20, seed }),
      ),
    );
  });

  test("K24 a flapping connection neither loses, duplicates nor reorders messages, and is reported at most once a minute", async () => {
    expectNoViolations(await runFlappingNetwork({ url, seed, minutes: 0.5, timerSpeed: 20 }));
  });

  test("K25 a response of another program is never taken for data, an API error or the end of a session", async () => {
    const names = ["a page with 200", "a page with 401", "an envelope that ends before its length"];
    const answers = Object.fromEntries(
      Object.entries(FOREIGN_RESPONSES).filter(([name]) => names.includes(name)),
    );
    expectNoViolations(await runForeignResponses({ url, answers }));
  });

  test("K27 an interrupted upload fails its message, or delivers it once with exactly its bytes", async () => {
    expectNoViolations(
      await withTempFolder((dataDir) =>
        runInterruptedUploads({ dataDir, percents: [10, 50, 99], rounds: 1, bytes: 2_000_000 }),
      ),
    );
  });

  test("K26 a token that expires during twenty calls is refreshed once, and all calls succeed", async () => {
    expectNoViolations(await runTokenExpiry({ server: clockServer, rounds: 1, calls: 20 }));
  });
});

/** Writes whose repetition is refused, but that the client need not repeat. */
const NOT_BY_THE_CLIENT = [
  // Its retry logs in, which the tests of `packages/core` prove.
  "register",
  // Only older clients call it.
  "ask to be friends as older clients do",
  // The session is over before the answer.
  "log out",
  "close account",
];

test("K21 every operation that rejects a repeat is also run through the client, or a reason is given", () => {
  const refusing = OPERATIONS.filter(({ repeat }) => repeat !== undefined).map(({ name }) => name);
  const tested = [...CLIENT_ACTIONS.map(({ name }) => name), ...NOT_BY_THE_CLIENT];
  expect(refusing.filter((name) => !tested.includes(name))).toEqual([]);
});

describe("planted faults", { timeout: TIMEOUT_MS }, () => {
  test("K3 reports a server that does not exit by itself", async () => {
    const { violations } = await withTempFolder((dataDir) =>
      runServerShutdowns({ dataDir, times: 1, seed, isKilled: true }),
    );
    expect(violations.join("\n")).toContain("SIGTERM ended with null");
  });

  test("K4 reports a person who is still shown as online", async () => {
    const { violations } = await runServerFreezes({
      server,
      seconds: [0.2],
      timerSpeed: 50,
      connectsAgain: true,
      stalePresenceMaxMs: 200,
    });
    expect(violations.join("\n")).toContain("timed out before ann is shown as offline");
  });

  test("K18 reports a clock jump beyond the promised limit", async () => {
    const { violations } = await runClockJumps({ server: clockServer, byMs: [-1_000], furtherMs: HOUR_MS });
    expect(violations.join("\n")).toContain("cannot be recalled");
  });

  test("K19 reports a slow reader that is not disconnected", async () => {
    const { violations } = await runSlowReaders({ url, rates: [Infinity], messagesMax: 50 });
    expect(violations.join("\n")).toContain("still online after 50 messages");
  });

  test("K20 reports a client that does not reconnect", async () => {
    const { violations } = await runInterruptedPulls({
      url,
      seed: seed + 1,
      rows: 10,
      every: 10,
      staysDisconnected: true,
    });
    expect(violations.join("\n")).toMatch(/ is (missing|".*"), not /);
  });

  test("K21 reports a retry with another tmpId and an error that a person sees", async () => {
    let sends = 0;
    let tries = 0;
    const send = operationNamed("private send");
    const changesTmpId: Operation = {
      ...send,
      name: "changes its tmpId",
      perform: (scenario, preparedId) =>
        send.perform({ ...scenario, tag: `${scenario.tag}${sends++}` }, preparedId),
    };
    const { violations } = await runLostResponses({
      url,
      operations: [changesTmpId],
      clientActions: [
        {
          name: "delete friend",
          who: "ann",
          // The second time it is another action, so the error is a real one.
          perform: (ann, { bob, dan }) => ann.contacts.remove(tries++ === 0 ? bob.id : dan.id),
        },
      ],
    });
    expect(violations.join("\n")).toContain("changes its tmpId: the retry had an effect");
    expect(violations.join("\n")).toContain("delete friend by the client: the person sees the error");
  });

  test("K22 reports a lost frame", async () => {
    const { violations } = await runReorderedFrames({
      url,
      seed: 1,
      scenarios: 1,
      actions: 30,
      losesFrames: true,
      convergeWithinMs: 300,
    });
    expect(violations.join("\n")).toMatch(/ is (missing|".*"), not /);
  });

  test("K24 reports a message that is sent twice", async () => {
    const { violations } = await runFlappingNetwork({
      url,
      seed,
      minutes: 0.3,
      timerSpeed: 20,
      sendsTwice: true,
    });
    expect(violations.join("\n")).toContain("in this order");
  });

  test("K25 reports a session that a response of another program ends", async () => {
    const answers = { "a valid error": SESSION_OVER_RESPONSE };
    const { violations } = await runForeignResponses({ url, answers });
    expect(violations.join("\n")).toContain("a valid error: the session is");
  });

  test("K27 reports a message that names another file", async () => {
    const { violations } = await withTempFolder((dataDir) =>
      runInterruptedUploads({ dataDir, percents: [50], rounds: 1, bytes: 300_000, mixesUpFiles: true }),
    );
    expect(violations.join("\n")).toContain("other bytes");
  });

  test("K26 reports clients that refresh separately", async () => {
    const { violations } = await runTokenExpiry({ server: clockServer, rounds: 1, calls: 4, isShared: true });
    expect(violations.join("\n")).toContain("refreshes");
  });
});
