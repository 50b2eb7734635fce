import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { type RequestFuzzOptions, runRequestFuzz } from "./request-fuzz.ts";

const FLAWED = fileURLToPath(new URL("../flawed-server.ts", import.meta.url));
const seed = Number(process.env["SEED"] ?? Math.floor(Math.random() * 1_000_000));

/** Planted faults need no body that never comes, for which the server waits half a minute. */
const PLANTED = { spawn: { script: FLAWED }, isEndOfSending: true };

async function run(requests: number, more: Partial<RequestFuzzOptions> = {}) {
  const dataDir = await mkdtemp(join(tmpdir(), "parley-requests-"));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  return runRequestFuzz({ dataDir, seed, requests, ...more });
}

test("REQUESTS every endpoint answers any request with a valid envelope, and other people are not affected", async () => {
  const { done, violations } = await run(4_000);
  process.stdout.write(`REQUESTS ${done}\n`);
  expect(violations).toEqual([]);
}, 900_000);

test("REQUESTS reports an invalid response, and text shown to the wrong person", async () => {
  const { violations } = await run(600, {
    ...PLANTED,
    env: { FLAWS: "answers nonsense" },
    isStrangerSending: true,
  });
  const all = violations.join("\n");
  expect(all).toContain("broken JSON");
  expect(all).toContain("contains a text of two strangers");
}, 900_000);

// With other faults the requests might end before one of them has the text in its path.
test("REQUESTS reports request data in the log", async () => {
  const { violations } = await run(300, { ...PLANTED, env: { FLAWS: "logs paths" } });
  expect(violations.join("\n")).toContain('the log contains "canary');
}, 900_000);

test("REQUESTS reports a server that leaks memory outside the heap", async () => {
  const { violations } = await run(200, { ...PLANTED, env: { FLAWS: "keeps answers" } });
  expect(violations.join("\n")).toMatch(/^rss: /m);
}, 900_000);
