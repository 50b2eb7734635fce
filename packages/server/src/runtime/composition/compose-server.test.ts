import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { pino } from "pino";
import { loadConfig } from "../../config/config.ts";
import { composeServer } from "./compose-server.ts";

test("a server that cannot be built lets its database go, whatever failed", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "parley-compose-"));
  onTestFinished(() => rm(dataDir, { recursive: true }));
  const config = loadConfig({ DATA_DIR: dataDir, PASSWORD_COST: "low" });
  const log = pino({ level: "silent" });
  /** Builds a server whose clock fails at this call. */
  const build = (failingCall: number) => {
    let calls = 0;
    const now = () => {
      if (++calls === failingCall) throw new Error("the clock has failed");
      return Date.now();
    };
    return composeServer(config, { now }, log, "node");
  };
  let failures = 0;
  let parts;
  while (parts === undefined) {
    parts = await build(failures + 1).catch((error: unknown) => {
      expect(String(error)).toContain("the clock has failed");
      failures++;
      return undefined;
    });
  }
  await parts.closeAdapters();
  expect(failures).toBeGreaterThan(1);
});
