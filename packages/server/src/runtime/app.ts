/** Life cycle of the server: start, listen, run jobs, drain, close. `composition/` says what it is built out of. */
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import type { Server as HttpServer } from "node:http";
import type { Server } from "node:net";
import type { FastifyInstance } from "fastify";
import type { Logger } from "pino";
import { BackupError } from "../adapters/archive/backup-archive.ts";
import type { OpenedStore } from "../adapters/store/open-store.ts";
import { StoreCopyError, StoreLockedError, StoreUnusableError } from "../adapters/store/store-errors.ts";
import { UNREADABLE_ROW_CHANNEL, type UnreadableRow } from "../adapters/store/unreadable-rows.ts";
import {
  type AdminAnswer,
  type AdminCommand,
  type AdminServices,
  type Print,
  runAdminCommand,
  setupLinkOf,
} from "./admin-commands.ts";
import { serveAdminSocket } from "./admin-socket.ts";
import { COMMAND_LINE } from "../api/admin-act.ts";
import { composeAdmin } from "./composition/compose-admin.ts";
import { type Overrides, type ServerParts, composeServer } from "./composition/compose-server.ts";
import { type Config, ConfigError, dataFolder } from "../config/config.ts";
import { createLog, nodeNameOf, reasonOf, serverUrlOf } from "../config/environment.ts";

const JOB_INTERVAL_MS = 1_000;
/** How long running requests may take to finish when the server stops. */
const FINISH_REQUESTS_MS = 2_000;

/** A server that can be started and stopped. */
export interface App {
  /** Opens the store and listens. Throws one-sentence errors for problems that the operator can fix. */
  start(): Promise<void>;
  /** Finishes running work and closes everything. */
  stop(): Promise<void>;
  /** What `stop` waits for at this moment; undefined while it does not run. */
  readonly waitingFor: StopStep | undefined;
  /** The URL that people open, such as http://localhost:8080; available after `start`. */
  readonly url: string;
  readonly port: number;
  /** The port of METRICS_PORT; undefined without one. */
  readonly metricsPort: number | undefined;
  /** Runs the checks and jobs that are due. The app calls it every second; tests call it after moving the clock. */
  sweep(): void;
  /** The one-time link that makes the first administrator; undefined if there is an administrator, or was a link before. */
  makeFirstSetupLink(): Promise<string | undefined>;
  /** Waits for what runs in the background now. For tests. */
  settle(): Promise<void>;
  readonly store: OpenedStore;
  readonly log: Logger;
}

/** What a stop waits for, in this order. */
type StopStep = "sockets" | "requests" | "background work" | "connections to database, Redis and files";

interface Running {
  parts: ServerParts;
  port: number;
  /** Calls `onStep` before each step. */
  stop(onStep: (step: StopStep) => void): Promise<void>;
}

/** Why the server does not start, in one sentence for the operator. */
class StartError extends Error {}

/** Whether an error has a one-sentence message for the operator and needs no stack trace. */
export function isUserFacingError(error: unknown): error is Error {
  const kinds = [BackupError, ConfigError, StartError, StoreCopyError, StoreLockedError, StoreUnusableError];
  return kinds.some((kind) => error instanceof kind);
}

/** Creates a server; `start` starts it. */
export function createApp(config: Config, overrides: Overrides = {}): App {
  const nodeName = nodeNameOf(config);
  const log = createLog(config, overrides.logTo, nodeName);
  let running: Running | undefined;
  let waitingFor: StopStep | undefined;
  const requireRunning = (): Running => {
    if (running === undefined) throw new Error("the app is not running");
    return running;
  };
  return {
    log,
    async start() {
      running = await start(config, await composeServer(config, overrides, log, nodeName), log);
    },
    async stop() {
      const stopping = running;
      running = undefined;
      await stopping?.stop((step) => (waitingFor = step));
      waitingFor = undefined;
    },
    get waitingFor() {
      return waitingFor;
    },
    get url() {
      return serverUrlOf(config, requireRunning().port);
    },
    get port() {
      return requireRunning().port;
    },
    get metricsPort() {
      const { metricsServer } = requireRunning().parts;
      return metricsServer && portOf(metricsServer);
    },
    get store() {
      return requireRunning().parts.store;
    },
    sweep() {
      sweep(requireRunning().parts);
    },
    async makeFirstSetupLink() {
      const { parts, port } = requireRunning();
      const { setupLinks, calls } = parts.adminServices;
      const token = await calls.run("makeSetupLink", COMMAND_LINE, setupLinks.makeFirst);
      return token === undefined ? undefined : setupLinkOf(serverUrlOf(config, port), token);
    },
    settle: () => requireRunning().parts.background.settle(),
  };
}

async function start(config: Config, parts: ServerParts, log: Logger): Promise<Running> {
  const { http, metricsServer, background } = parts;
  const stopLoggingUnreadable = logUnreadable(log);
  await parts.connectNodes();
  background.add(parts.finishWork());
  // Before the first client connects. Without it, calls end although their people are there.
  await parts.resumeCalls().catch((error: unknown) => log.error({ err: error }, "calls cannot be resumed"));
  const admin = await openAdmin(dataFolder(config), parts.adminServices, log);
  const close = async (onStep: (step: StopStep) => void) => {
    admin?.close();
    await drain(parts, onStep);
    onStep("connections to database, Redis and files");
    await parts.closeAdapters();
    stopLoggingUnreadable();
  };
  let listening: "PORT" | "METRICS_PORT" = "PORT";
  try {
    await http.listen({ port: config.PORT, host: config.HOST });
    listening = "METRICS_PORT";
    await listenForMetrics(metricsServer, config);
  } catch (error) {
    await close(() => undefined);
    throw listenError(error, config, listening);
  }
  const timer = setInterval(() => sweep(parts), JOB_INTERVAL_MS);
  timer.unref();
  return {
    parts,
    port: portOf(http.server),
    async stop(onStep) {
      clearInterval(timer);
      await close(onStep);
    },
  };
}

async function listenForMetrics(server: HttpServer | undefined, config: Config): Promise<void> {
  if (server === undefined) return;
  server.listen(config.METRICS_PORT, config.HOST);
  await once(server, "listening");
}

/** The port of a server that listens. */
function portOf(server: Server): number {
  const address = server.address();
  if (typeof address !== "object" || address === null)
    throw new Error("the server does not listen on a port");
  return address.port;
}

function sweep({ gateway, jobs }: ServerParts): void {
  gateway.sweep();
  jobs.sweep();
}

/** Closes all connections and finishes what runs. */
async function drain(
  { gateway, http, metricsServer, background, saveLastSeen, endJobs, endPictures, endWebPush }: ServerParts,
  onStep: (step: StopStep) => void,
): Promise<void> {
  onStep("sockets");
  await gateway.stop();
  onStep("requests");
  await closeHttp(http);
  metricsServer?.close();
  metricsServer?.closeAllConnections();
  await endPictures();
  endWebPush();
  onStep("background work");
  background.add(saveLastSeen());
  background.add(endJobs());
  await background.settle();
}

/** Lets running requests finish, but not longer than a limit, because idle connections would keep the server open. */
async function closeHttp(http: FastifyInstance): Promise<void> {
  const timer = setTimeout(() => http.server.closeAllConnections(), FINISH_REQUESTS_MS);
  try {
    await http.close();
  } finally {
    clearTimeout(timer);
  }
}

/** Logs each unreadable row once. Returns a function that stops it. */
function logUnreadable(log: Logger): () => void {
  const reported = new Set<string>();
  const report = (message: unknown) => {
    const { table, id, error } = message as UnreadableRow;
    const rowKey = `${table} ${id}`;
    if (reported.has(rowKey)) return;
    reported.add(rowKey);
    log.error({ err: error, table, id }, "a row cannot be read");
  };
  subscribe(UNREADABLE_ROW_CHANNEL, report);
  return () => void unsubscribe(UNREADABLE_ROW_CHANNEL, report);
}

/** Opens the administration socket. If that fails, the server runs without it. */
async function openAdmin(dataDir: string, admin: AdminServices, log: Logger): Promise<Server | undefined> {
  try {
    return await serveAdminSocket(dataDir, admin);
  } catch (error) {
    log.warn({ reason: reasonOf(error) }, "no administration while running: its socket cannot be opened");
    return undefined;
  }
}

/**
 * Runs one administration command on the store itself. Throws if a server is using the store and it allows one only, or if the store was moved:
 * what is written there would be lost. Only `restored` goes back to it; it throws also if servers share the store.
 */
export async function runWithoutServer(
  config: Config,
  command: AdminCommand,
  print: Print,
): Promise<AdminAnswer> {
  // The answer goes to standard output.
  const isRestored = command.name === "restored";
  const isAlone = isRestored || command.name === "correctTimes";
  const admin = await composeAdmin(config, createLog(config, process.stderr), { isRestored, isAlone });
  try {
    return await runAdminCommand(admin.services, command, print);
  } finally {
    await admin.close();
  }
}

function listenError(error: unknown, config: Config, name: "PORT" | "METRICS_PORT"): Error {
  const port = config[name];
  const code = (error as NodeJS.ErrnoException).code;
  if (code === "EADDRINUSE") {
    return new StartError(`Port ${port} is in use; stop what listens there or set another ${name}.`);
  }
  if (code === "EACCES")
    return new StartError(`Port ${port} may not be used by this account; set another ${name}.`);
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND") {
    return new StartError(`HOST ${config.HOST} is no address of this machine.`);
  }
  return error instanceof Error ? error : new Error(String(error));
}
