/** What lies between a client and its server, in small numbers; `npm run test:full -- K20` plays the full ones. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type ClockServer, type ServerProcess, startServer, startWithClock } from "../server-process.ts";
import { runClockJumps } from "./clock-jumps.ts";
import { stopDevices } from "./core-device.ts";
import { runExpiry } from "./expiry.ts";
import { runFlapping } from "./flapping.ts";
import { FOREIGN, TAKEN_FOR_OURS, runForeignAnswers } from "./foreign-answers.ts";
import { runFreezes, runShutdowns } from "./freezes.ts";
import { DEEDS, runLostAnswers } from "./lost-answers.ts";
import { inFolder } from "./on-server.ts";
import { OPERATIONS, type Operation } from "./operations.ts";
import { runPullCuts } from "./pull-cuts.ts";
import { runReplays } from "./replays.ts";
import type { Report } from "./report.ts";
import { runSlowReaders } from "./slow-readers.ts";
import { runStorm } from "./storm.ts";

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
    startWithClock({ DATA_DIR: join(folder, "two") }),
  ]);
  url = server.url;
}, TIMEOUT_MS);
afterEach(stopDevices);
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
  test("K4 a server that stands still for a second loses nothing and shows nobody who is gone", async () => {
    expectNone(await runFreezes({ server, seconds: [1], haste: 50 }));
  });

  test("K18 a clock that jumps reorders nothing, signs nobody out and keeps nobody waiting", async () => {
    expectNone(await runClockJumps({ server: clockServer, byMs: [-HOUR_MS, HOUR_MS] }));
  });

  test("K20 a client that is cut anywhere in its pull shows in the end what one shows that was not", async () => {
    expectNone(await runPullCuts({ url, seed, rows: 40, every: 8 }));
  });

  test("K21 a write whose answer was cut ends as done once when it is done again, and nobody is told of a refusal", async () => {
    const operations = OPERATIONS.filter(({ name }) => ["private send", "group edit"].includes(name));
    const names = ["join group", "transfer group", "approve friend", "delete friend", "change password"];
    const deeds = DEEDS.filter(({ name }) => names.includes(name));
    expectNone(await runLostAnswers({ url, operations, deeds }));
  });

  test("K22 what comes twice or out of order changes nothing in the end", async () => {
    expectNone(await runReplays({ url, seed, worlds: 1, deeds: 60 }));
  });

  test("K23 all clients that are cut at once come back at the first try and miss nothing", async () => {
    expectNone(await inFolder((dataDir) => runStorm({ dataDir, clients: 12, storms: 1, haste: 20, seed })));
  });

  test("K24 a line that comes and goes neither loses, doubles nor reorders, and is told of once a minute", async () => {
    expectNone(await runFlapping({ url, seed, minutes: 0.5, haste: 20 }));
  });

  test("K25 what somebody else answers is never data, never a refusal and never the end of a session", async () => {
    const names = ["a page with 200", "a page with 401", "an envelope that ends before its length"];
    const answers = Object.fromEntries(Object.entries(FOREIGN).filter(([name]) => names.includes(name)));
    expectNone(await runForeignAnswers({ url, answers }));
  });

  test("K26 a token that ends under twenty calls is refreshed once, and all calls are done", async () => {
    expectNone(await runExpiry({ server: clockServer, rounds: 1, calls: 20 }));
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

test("K21 whatever refuses a repeat is played by the client too, or it is said why not", () => {
  const refusing = OPERATIONS.filter(({ repeat }) => repeat !== undefined).map(({ name }) => name);
  const played = [...DEEDS.map(({ name }) => name), ...NOT_BY_THE_CLIENT];
  expect(refusing.filter((name) => !played.includes(name))).toEqual([]);
});

describe("planted faults", { timeout: TIMEOUT_MS }, () => {
  test("K3 finds a server that does not end by itself", async () => {
    const { violations } = await inFolder((dataDir) =>
      runShutdowns({ dataDir, times: 1, seed, isKilled: true }),
    );
    expect(violations.join("\n")).toContain("SIGTERM ended with null");
  });

  test("K4 finds somebody who seems to be there", async () => {
    const { violations } = await runFreezes({
      server,
      seconds: [0.2],
      haste: 50,
      isElsewhere: true,
      goneMs: 200,
    });
    expect(violations.join("\n")).toContain("waited in vain until ann is gone");
  });

  test("K18 finds a clock that jumps further than people were promised", async () => {
    const { violations } = await runClockJumps({ server: clockServer, byMs: [-1_000], furtherMs: HOUR_MS });
    expect(violations.join("\n")).toContain("cannot be taken back");
  });

  test("K19 finds a reader who is not given up", async () => {
    const { violations } = await runSlowReaders({ url, rates: [Infinity], mostMessages: 50 });
    expect(violations.join("\n")).toContain("after 50 messages he counts as online");
  });

  test("K20 finds a client that does not come back", async () => {
    const { violations } = await runPullCuts({ url, seed: seed + 1, rows: 10, every: 10, isLeftCut: true });
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
      act: (scene, fact) => send.act({ ...scene, tag: `${scene.tag}${sends++}` }, fact),
    };
    const { violations } = await runLostAnswers({
      url,
      operations: [forgetful],
      deeds: [
        {
          name: "delete friend",
          who: "ann",
          // The second time it is another deed, so that the refusal is one.
          act: (ann, { bob, dan }) => ann.contacts.remove(tries++ === 0 ? bob.id : dan.id),
        },
      ],
    });
    expect(violations.join("\n")).toContain("forgetful: the retry did it again");
    expect(violations.join("\n")).toContain("delete friend by the client: the person is told");
  });

  test("K22 finds what is lost", async () => {
    const { violations } = await runReplays({ url, seed: 1, worlds: 1, deeds: 30, loses: true, sameMs: 300 });
    expect(violations.join("\n")).toMatch(/ is (missing|".*"), not /);
  });

  test("K24 finds a message that is written twice", async () => {
    const { violations } = await runFlapping({ url, seed, minutes: 0.3, haste: 20, isForgetful: true });
    expect(violations.join("\n")).toContain("in this order");
  });

  test("K25 finds a session that such an answer ends", async () => {
    const answers = { "a server's own word": TAKEN_FOR_OURS };
    const { violations } = await runForeignAnswers({ url, answers });
    expect(violations.join("\n")).toContain("a server's own word: the session is");
  });

  test("K26 finds clients that do not refresh together", async () => {
    const { violations } = await runExpiry({ server: clockServer, rounds: 1, calls: 4, isShared: true });
    expect(violations.join("\n")).toContain("refreshes");
  });
});
