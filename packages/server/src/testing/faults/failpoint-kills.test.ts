import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ENDPOINTS, type EndpointName } from "@parley/protocol/endpoints/all";
import { afterEach, beforeEach, expect, test } from "vitest";
import { OPERATIONS, type Operation } from "./operations.ts";
import { everyFailpoint, runFailpointKills } from "./failpoint-kills.ts";

let dataDir: string;
beforeEach(async () => void (dataDir = await mkdtemp(join(tmpdir(), "parley-stops-"))));
afterEach(() => rm(dataDir, { recursive: true, force: true }));

/** Where most can go wrong: all is there, nobody knows, and the client does it again. */
const STORED = ["afterCommit"] as const;
/** Those that are killed at every point here; all others are in `npm run test:full`. */
const WHOLE = ["private send", "group send"];

test("K2 a server killed during a write leaves none or all of it, and a retry ends as if nothing had failed", async () => {
  const { done, violations } = await runFailpointKills({
    dataDir,
    operations: OPERATIONS,
    killsOf: ({ name }, passCounts) =>
      everyFailpoint(passCounts, 1, WHOLE.includes(name) ? undefined : STORED),
  });
  process.stdout.write(`K2 ${done}\n`);
  expect(violations).toEqual([]);
}, 600_000);

/** Writes of which no operation is an example. */
const NOT_PLAYED: readonly EndpointName[] = [
  // The same write as another that is played.
  "addFriend",
  "setFriendDnd",
  "setGroupDnd",
];

test("every endpoint that writes is covered, or a reason is given", async () => {
  const source = await readFile(new URL("operations.ts", import.meta.url), "utf8");
  const names = Object.keys(ENDPOINTS) as EndpointName[];
  const writing = names.filter((name) => ENDPOINTS[name].method !== "GET" && !NOT_PLAYED.includes(name));
  const isPlayed = (name: EndpointName) =>
    source.includes(`"${name}"`) || source.includes(`"${ENDPOINTS[name].path}"`);
  const missing = writing.filter((name) => !isPlayed(name));
  expect(missing).toEqual([]);
});

const [send] = OPERATIONS;
if (send === undefined) throw new Error("there is no operation");

test("K2 finds a client that forgets its tmpId, a client that does not retry, and a failpoint that is never reached", async () => {
  let sends = 0;
  const planted: Operation[] = [
    {
      ...send,
      name: "forgetful",
      perform: (scenario, fact) => send.perform({ ...scenario, tag: `${scenario.tag}${sends++}` }, fact),
    },
    {
      ...send,
      name: "resigned",
      perform: (scenario, fact) =>
        send.perform(scenario, fact).catch(() => ({ code: 200, message: "", data: null })),
    },
    { ...send, name: "elsewhere", skippedFailpoints: ["afterInsert"] },
  ];
  const { violations } = await runFailpointKills({
    dataDir,
    operations: planted,
    killsOf: ({ name }, passCounts) => everyFailpoint(passCounts, 1, name === "elsewhere" ? [] : STORED),
  });
  const of = (name: string) => violations.filter((violation) => violation.startsWith(name)).join("\n");
  expect(of("forgetful")).toContain("done twice");
  expect(of("resigned")).toContain("answered at the wrong time");
  expect(of("elsewhere")).toBe("elsewhere: passes afterInsert");
}, 120_000);
