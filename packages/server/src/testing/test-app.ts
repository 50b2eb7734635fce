/** Starts the real app in a temporary folder, with a clock that the test moves. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type App, createApp } from "../runtime/app.ts";
import type { Overrides } from "../runtime/composition/compose-server.ts";
import { type Config, loadConfig } from "../config/config.ts";
import { secretsIn } from "./log-scan.ts";
import { createTestDatabase } from "./test-postgres.ts";

/** A running app. */
export interface TestApp {
  app: App;
  /** http://127.0.0.1:port */
  url: string;
  dataDir: string;
  config: Config;
  clock: { now(): number; advance(ms: number): void };
  /** The lines of the log. */
  logs: string[];
  /** Stops the app, removes the folder, and throws if the log contains a secret. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** Configuration variables, the folder of a built web client, the time limit of a whole request, and what nodes share. */
export interface TestAppOptions extends Pick<Overrides, "webFolder" | "wholeRequestMs" | "shared"> {
  env?: Record<string, string>;
}

/** Starts an app on a free port. With TEST_STORE=postgres it has a database of PostgreSQL, unless `env` names one. */
export async function createTestApp({ env = {}, ...overrides }: TestAppOptions = {}): Promise<TestApp> {
  const dataDir = await mkdtemp(join(tmpdir(), "parley-test-"));
  const isOnPostgres = process.env["TEST_STORE"] === "postgres" && env["DATABASE_URL"] === undefined;
  const database = isOnPostgres ? await createTestDatabase() : undefined;
  const logs: string[] = [];
  let time = Date.now();
  const clock = { now: () => time, advance: (ms: number) => void (time += ms) };
  const config = loadConfig({
    HOST: "127.0.0.1",
    PORT: "0",
    DATA_DIR: dataDir,
    PASSWORD_COST: "low",
    LOG_LEVEL: "warn",
    ...env,
    ...(database !== undefined && { DATABASE_URL: database.url }),
  });
  const app = createApp(config, {
    now: clock.now,
    logTo: { write: (line) => void logs.push(line) },
    ...overrides,
  });
  await app.start();
  return {
    app,
    url: `http://127.0.0.1:${app.port}`,
    dataDir,
    config,
    clock,
    logs,
    async [Symbol.asyncDispose]() {
      await app.stop();
      await rm(dataDir, { recursive: true, force: true });
      await database?.drop();
      const leaks = secretsIn(logs);
      if (leaks.length > 0) throw new Error(`the log contains secrets: ${leaks.join("; ")}`);
    },
  };
}
