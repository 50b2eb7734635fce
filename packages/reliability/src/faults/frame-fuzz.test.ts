import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { leakedSecrets } from "@parley/server/testing/server-process";
import { runFrameFuzz } from "./frame-fuzz.ts";

const FLAWED = fileURLToPath(new URL("../flawed-server.ts", import.meta.url));
const seed = Number(process.env["SEED"] ?? Math.floor(Math.random() * 1_000_000));

async function run(frames: number, flaws?: string) {
  const dataDir = await mkdtemp(join(tmpdir(), "parley-frames-"));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const planted = flaws === undefined ? {} : { spawn: { script: FLAWED }, env: { FLAWS: flaws } };
  return runFrameFuzz({ dataDir, seed, frames, ...planted });
}

test("FRAMES every mutated frame gets the right answer or ends only its own connection", async () => {
  const { done, violations } = await run(85_000);
  process.stdout.write(`FRAMES ${done}\n`);
  expect(violations).toEqual([]);
}, 900_000);

test("FRAMES reports a server that leaks memory, logs frames, sends wrong answers and closes other connections", async () => {
  const { violations } = await run(2_000, "keeps frames,logs frames,answers twice,closes others");
  const all = violations.join("\n");
  expect(all).toMatch(/^heap: /m);
  expect(all).toContain('the log contains "canary');
  expect(all).toMatch(/^connection \d+: expected/m);
  expect(all).toMatch(/was disconnected \d+ times/);
  expect(leakedSecrets.join("\n")).toContain("accessToken");
}, 900_000);

test("FRAMES reports a server that crashes", async () => {
  const { violations } = await run(800, "crashes");
  expect(violations.join("\n")).toContain("the server ended with 1");
}, 900_000);
