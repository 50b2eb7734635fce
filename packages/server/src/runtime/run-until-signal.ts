/** Runs the server until it gets a signal to stop. */
import { writeSync } from "node:fs";
import { type App, createApp, isUserFacingError } from "./app.ts";
import type { Overrides } from "./composition/compose-server.ts";
import { loadConfig } from "../config/config.ts";
import { watchHeapLimit } from "./heap-limit.ts";

const STOP_MAX_MS = 10_000;

async function run(overrides: Pick<Overrides, "failpoint">): Promise<void> {
  const app = createApp(loadConfig(process.env), {
    ...overrides,
    onFatal(error) {
      const text: string = error.message;
      process.stderr.write(
        isUserFacingError(error)
          ? `${text}\n`
          : `The database failed: ${text}. \`npm run admin -- doctor\` says whether the data is whole.\n`,
      );
      process.exit(1);
    },
  });
  // The log may wait for a slow disk; this is the last that the process says.
  watchHeapLimit((sentence) => void writeSync(process.stderr.fd, `${sentence}\n`));
  let isStopping = false;
  const stop = (signal: string) => {
    if (isStopping) return;
    isStopping = true;
    app.log.info({ signal }, "stopping");
    setTimeout(() => {
      app.log.error({ waitingFor: app.waitingFor }, "the server did not end in time");
      process.exit(1);
    }, STOP_MAX_MS).unref();
    app.stop().then(
      () => process.exit(0),
      (error: unknown) => fail(error),
    );
  };
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
  await app.start();
  if (isStopping) return;
  const link = await makeFirstSetupLink(app);
  process.stdout.write(`Parley is ready: ${app.url}\n`);
  if (link !== undefined) process.stdout.write(`Make the first administrator once at ${link}\n`);
}

/** A server whose store takes no writes now, because its disk is full, runs without. */
async function makeFirstSetupLink(app: App): Promise<string | undefined> {
  try {
    return await app.makeFirstSetupLink();
  } catch (error) {
    app.log.warn({ err: error }, "no link for the first administrator can be made now");
    return undefined;
  }
}

function fail(error: unknown): never {
  const text = isUserFacingError(error)
    ? error.message
    : error instanceof Error
      ? (error.stack ?? error.message)
      : String(error);
  process.stderr.write(`${text}\n`);
  process.exit(1);
}

/** Runs the server with the configuration of the environment until the process gets a signal. Ends the process. */
export function runUntilSignal(overrides: Pick<Overrides, "failpoint"> = {}): void {
  run(overrides).catch(fail);
}
