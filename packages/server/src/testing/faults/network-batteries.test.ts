/** What lies between a client and its server, in small numbers; `npm run test:full -- K20` plays the full ones. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type ClockServer, type ServerProcess, startServer, startClockServer } from "../server-process.ts";
import { runClockJumps } from "./clock-jumps.ts";
import { stopAllDevices } from "./client-device.ts";
import { runTokenExpiry } from "./token-expiry.ts";
import { runFlappingNetwork } from "./flapping-network.ts";
import { FOREIGN_RESPONSES, MISTAKEN_FOR_OURS, runForeignResponses } from "./foreign-responses.ts";
import { runServerFreezes, runServerShutdowns } from "./server-freezes.ts";
import { CLIENT_ACTIONS, runLostResponses } from "./lost-responses.ts";
import { withTempFolder } from "./with-server.ts";
import { OPERATIONS, type Operation } from "./operations.ts";
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

function expectNone({ name, done, violations }: Report): void {
  process.stdout.write(`${name}: ${done}\n`);
  expect(violations).toEqual([]);
}

describe(`the network (SEED=${seed})`, { timeout: TIMEOUT_MS }, () => {
  test("K4 a server frozen for a second loses nothing and shows nobody as online who has left", async () => {
    expectNone(await runServerFreezes({ server, seconds: [1], timerSpeed: 50 }));
  });

  test("K18 a clock that jumps reorders nothing, signs nobody out and keeps nobody waiting", async () => {
    expectNone(await runClockJumps({ server: clockServer, byMs: [-HOUR_MS, HOUR_MS] }));
  });

  test("K20 a client disconnected anywhere in its pull ends with the same state as an undisturbed client", async () => {
    expectNone(await runInterruptedPulls({ url, seed, rows: 40, every: 8 }));
  });

  test("K21 a write whose response was lost takes effect once when it is repeated, and no error is shown", async () => {
    const operations = OPERATIONS.filter(({ name }) => ["private send", "group edit"].includes(name));
    const names = ["join group", "transfer group", "approve friend", "delete friend", "change password"];
    const clientActions = CLIENT_ACTIONS.filter(({ name }) => names.includes(name));
    expectNone(await runLostResponses({ url, operations, clientActions }));
  });

  test("K22 duplicated and reordered frames do not change the final state", async () => {
    expectNone(await runReorderedFrames({ url, seed, scenarios: 1, actions: 60 }));
  });

  test("K23 clients that are all disconnected at once reconnect at the first attempt and miss nothing", async () => {
    expectNone(
      await withTempFolder((dataDir) =>
        runReconnectStorm({ dataDir, clients: 12, storms: 1, timerSpeed: 20, seed }),
      ),
    );
  });

  test("K24 a flapping connection neither loses, duplicates nor reorders messages, and is reported once a minute", async () => {
    expectNone(await runFlappingNetwork({ url, seed, minutes: 0.5, timerSpeed: 20 }));
  });

  test("K25 a response of another program is never taken for data, an error of the server or the end of a session", async () => {
    const names = ["a page with 200", "a page with 401", "an envelope that ends before its length"];
    const answers = Object.fromEntries(
      Object.entries(FOREIGN_RESPONSES).filter(([name]) => names.includes(name)),
    );
    expectNone(await runForeignResponses({ url, answers }));
  });

  test("K26 a token that expires during twenty calls is refreshed once, and all calls succeed", async () => {
    expectNone(await runTokenExpiry({ server: clockServer, rounds: 1, calls: 20 }));
  });
});

/** Writes that refuse a repeat and that the client need not do again. */
const NOT_BY_THE_CLIENT = [
  // Its retry logs in, and that is shown by `packages/core`.
  "register",
  // The session is over here before, or together with, the answer.
  "log out",
  "close account",
];

test("K21 every operation that rejects a repeat is also run through the client, or a reason is given", () => {
  const refusing = OPERATIONS.filter(({ repeat }) => repeat !== undefined).map(({ name }) => name);
  const played = [...CLIENT_ACTIONS.map(({ name }) => name), ...NOT_BY_THE_CLIENT];
  expect(refusing.filter((name) => !played.includes(name))).toEqual([]);
});

describe("planted faults", { timeout: TIMEOUT_MS }, () => {
  test("K3 finds a server that does not end by itself", async () => {
    const { violations } = await withTempFolder((dataDir) =>
      runServerShutdowns({ dataDir, times: 1, seed, isKilled: true }),
    );
    expect(violations.join("\n")).toContain("SIGTERM ended with null");
  });

  test("K4 finds a person who is still shown as online", async () => {
    const { violations } = await runServerFreezes({
      server,
      seconds: [0.2],
      timerSpeed: 50,
      isElsewhere: true,
      stalePresenceMaxMs: 200,
    });
    expect(violations.join("\n")).toContain("waited in vain until ann is gone");
  });

  test("K18 finds a clock jump beyond the promised limit", async () => {
    const { violations } = await runClockJumps({ server: clockServer, byMs: [-1_000], furtherMs: HOUR_MS });
    expect(violations.join("\n")).toContain("cannot be taken back");
  });

  test("K19 finds a slow reader that is not disconnected", async () => {
    const { violations } = await runSlowReaders({ url, rates: [Infinity], mostMessages: 50 });
    expect(violations.join("\n")).toContain("after 50 messages he counts as online");
  });

  test("K20 finds a client that does not come back", async () => {
    const { violations } = await runInterruptedPulls({
      url,
      seed: seed + 1,
      rows: 10,
      every: 10,
      isLeftCut: true,
    });
    expect(violations.join("\n")).toMatch(/ is (missing|".*"), not /);
  });

  test("K21 finds a send without its tmpId, and a refusal that a person is told", async () => {
    let sends = 0;
    let tries = 0;
    const [send] = OPERATIONS;
    if (send === undefined) throw new Error("there is no operation");
    const forgetful: Operation = {
      ...send,
      name: "forgetful",
      perform: (scenario, fact) => send.perform({ ...scenario, tag: `${scenario.tag}${sends++}` }, fact),
    };
    const { violations } = await runLostResponses({
      url,
      operations: [forgetful],
      clientActions: [
        {
          name: "delete friend",
          who: "ann",
          // The second time it is another deed, so that the refusal is one.
          perform: (ann, { bob, dan }) => ann.contacts.remove(tries++ === 0 ? bob.id : dan.id),
        },
      ],
    });
    expect(violations.join("\n")).toContain("forgetful: the retry did it again");
    expect(violations.join("\n")).toContain("delete friend by the client: the person is told");
  });

  test("K22 finds a lost frame", async () => {
    const { violations } = await runReorderedFrames({
      url,
      seed: 1,
      scenarios: 1,
      actions: 30,
      losesFrames: true,
      sameMs: 300,
    });
    expect(violations.join("\n")).toMatch(/ is (missing|".*"), not /);
  });

  test("K24 finds a message that is written twice", async () => {
    const { violations } = await runFlappingNetwork({
      url,
      seed,
      minutes: 0.3,
      timerSpeed: 20,
      isForgetful: true,
    });
    expect(violations.join("\n")).toContain("in this order");
  });

  test("K25 finds a session that such an answer ends", async () => {
    const answers = { "a server's own word": MISTAKEN_FOR_OURS };
    const { violations } = await runForeignResponses({ url, answers });
    expect(violations.join("\n")).toContain("a server's own word: the session is");
  });

  test("K26 finds clients that do not refresh together", async () => {
    const { violations } = await runTokenExpiry({ server: clockServer, rounds: 1, calls: 4, isShared: true });
    expect(violations.join("\n")).toContain("refreshes");
  });
});
