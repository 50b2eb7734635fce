import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ENDPOINTS, type EndpointName } from "@parley/protocol/endpoints/all";
import { afterEach, beforeEach, expect, test } from "vitest";
import { OPERATIONS, type Operation } from "./operations.ts";
import { everyStop, runStops } from "./stops.ts";

let dataDir: string;
beforeEach(async () => void (dataDir = await mkdtemp(join(tmpdir(), "parley-stops-"))));
afterEach(() => rm(dataDir, { recursive: true, force: true }));

/** Where most can go wrong: all is there, nobody knows, and the client does it again. */
const STORED = ["afterCommit"] as const;
/** Those that are killed at every point here; all others are in `npm run test:full`. */
const WHOLE = ["private send", "group send"];

test("K2 a server killed in the middle of a write leaves none or all of it, and a retry ends as if nothing had failed", async () => {
  const { done, violations } = await runStops({
    dataDir,
    operations: OPERATIONS,
    stopsOf: ({ name }, passes) => everyStop(passes, 1, WHOLE.includes(name) ? undefined : STORED),
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

test("every endpoint that writes is played, or it is said why not", async () => {
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

test("K2 finds a client that forgets its tmpId, one that does not try again, and a point that is said to be passed", async () => {
  let sends = 0;
  const planted: Operation[] = [
    {
      ...send,
      name: "forgetful",
      act: (scene, fact) => send.act({ ...scene, tag: `${scene.tag}${sends++}` }, fact),
    },
    {
      ...send,
      name: "resigned",
      act: (scene, fact) => send.act(scene, fact).catch(() => ({ code: 200, message: "", data: null })),
    },
    { ...send, name: "elsewhere", skips: ["afterInsert"] },
  ];
  const { violations } = await runStops({
    dataDir,
    operations: planted,
    stopsOf: ({ name }, passes) => everyStop(passes, 1, name === "elsewhere" ? [] : STORED),
  });
  const of = (name: string) => violations.filter((violation) => violation.startsWith(name)).join("\n");
  expect(of("forgetful")).toContain("done twice");
  expect(of("resigned")).toContain("answered at the wrong time");
  expect(of("elsewhere")).toBe("elsewhere: passes afterInsert");
}, 120_000);
