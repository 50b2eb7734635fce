/** Composition root: the only folder that chooses adapters. It builds the server; `app.ts` starts and stops it. */
import type { Server } from "node:http";
import { setImmediate as nextTurn } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { FastifyInstance } from "fastify";
import type { DestinationStream, Logger } from "pino";
import { openApiDocument } from "@parley/protocol/openapi";
import { isActiveAdmin } from "../../access/people.ts";
import { createPictureProcesses } from "../../adapters/pictures/picture-processes.ts";
import type { OpenedStore } from "../../adapters/store/open-store.ts";
import type { AdminServices } from "../admin-commands.ts";
import { createAdminHandlers } from "../admin-handlers.ts";
import { type BackgroundTasks, createBackgroundTasks } from "../background-tasks.ts";
import { type Config, ConfigError, ROLES, type Role, dataFolder } from "../../config/config.ts";
import { filesFolder } from "../../config/data-folders.ts";
import {
  createAddressResolver,
  createOriginCheck,
  fileSystemOf,
  isSameHost,
  loadSecret,
  makeFolder,
  openDataFolder,
  readTls,
} from "../../config/environment.ts";
import { createExports } from "../export-sources.ts";
import type { Gateway } from "../../gateway/gateway.ts";
import { createHttpServer } from "../../http/http-server.ts";
import { createMetricsServer } from "../../http/metrics-page.ts";
import { createJobLease, ownLease } from "../job-lease.ts";
import { type Jobs, createJobs } from "../jobs.ts";
import { createPasswordHasher } from "../../modules/account/password-hasher.ts";
import { deleteExpiredSessions } from "../../modules/account/session-cache.ts";
import { createTokens } from "../../modules/account/tokens.ts";
import { createLiveSettings } from "../../modules/administration/live-settings.ts";
import { createExportLinks } from "../../modules/export/export-links.ts";
import { createFileDeletion } from "../../modules/uploads/file-deletion.ts";
import { deleteMarkedFiles, sweepOrphans } from "../../modules/uploads/orphan-sweep.ts";
import { createPictures } from "../../modules/uploads/pictures.ts";
import { createUploads } from "../../modules/uploads/uploads.ts";
import { nightlyBackupsOf } from "../../backup/nightly-backup.ts";
import { createMessageClock } from "../../doctor/message-clock.ts";
import { createNode } from "../node.ts";
import { overviewChecksOf } from "../../doctor/overview-checks.ts";
import { type PassFailpoint, noFailpoints } from "../../ports/failpoints.ts";
import { addJobs } from "./add-jobs.ts";
import { createAdminServices } from "./compose-admin.ts";
import { type InProcessServices, mayHaveOtherNodes } from "./open-shared-services.ts";
import { type Adapters, openAdapters } from "./open-adapters.ts";
import { createNodeRegistration } from "./node-registration.ts";
import { MEBIBYTE, fallbackSettingsOf, settingsOf } from "./settings.ts";

const NEW_SOCKETS_PER_ADDRESS_MAX = 2_000;
/** Many more than the tabs of a person, because a network that breaks again and again leaves each time a socket behind for a minute. */
const SOCKETS_PER_TERMINAL_MAX = 100;
const ROLES_ALONE =
  "ROLES must name all roles unless DATABASE_URL and REDIS_URL are set, because there are no other nodes.";
const WHOLE_REQUEST_MS = 600_000;
const WEB_FOLDER = fileURLToPath(new URL("../../../../web/dist", import.meta.url));

/** What tests replace. */
export interface Overrides {
  /** Epoch milliseconds. */
  now?(): number;
  /** Where the log goes; by default to standard output. */
  logTo?: DestinationStream;
  /** Called when the disk failed during a commit or the like; the process should end. */
  onFatal?(error: Error): void;
  webFolder?: string;
  /** Time limit of a whole request other than an upload. */
  wholeRequestMs?: number;
  /** Called at each failpoint. */
  failpoint?: PassFailpoint;
  /** What several nodes of one process share. The server closes both. */
  shared?: InProcessServices;
}

/** A server that is built and does not run yet. */
export interface ServerParts {
  store: OpenedStore;
  /** Does not listen yet. It hands sockets over to the gateway. */
  http: FastifyInstance;
  /** Does not listen yet; undefined without METRICS_PORT. */
  metricsServer: Server | undefined;
  gateway: Gateway;
  /** What runs from time to time. */
  jobs: Jobs;
  background: BackgroundTasks;
  adminServices: AdminServices;
  /** Finishes what a process before has left: notices, and uploads that can only be deleted. */
  finishWork(): Promise<void>;
  /** Lets another node run the jobs. */
  endJobs(): Promise<void>;
  saveLastSeen(): Promise<void>;
  /** Lets the calls go on that ran when the server ended. */
  resumeCalls(): Promise<void>;
  /** Ends the processes for pictures, and the uploads that wait for them. */
  endPictures(): Promise<void>;
  /** Ends the requests to push services that are under way. */
  endWebPush(): void;
  /** Connects to the other nodes. A Redis that is away is waited for in the background. */
  connectNodes(): Promise<void>;
  /** Closes the adapters. Nothing may use them after that. */
  closeAdapters(): Promise<void>;
}

/** Opens the adapters and builds the server out of them. `nodeName`: as its answers name it. */
export async function composeServer(
  config: Config,
  overrides: Overrides,
  log: Logger,
  nodeName: string,
): Promise<ServerParts> {
  const now = overrides.now ?? Date.now;
  const failpoint = overrides.failpoint ?? noFailpoints;
  const dataDir = dataFolder(config);
  openDataFolder(dataDir);
  makeFolder(filesFolder(dataDir));
  const tls = readTls(config);
  const onFatal =
    overrides.onFatal ?? ((error: Error) => log.fatal({ err: error }, "the store can no longer be trusted"));

  const { shared } = overrides;
  const hasOtherNodes = shared !== undefined || mayHaveOtherNodes(config);
  const hasRole = (role: Role) => config.ROLES.includes(role);
  if (!hasOtherNodes && !ROLES.every(hasRole)) throw new ConfigError(ROLES_ALONE);
  const adapters = await openAdapters(config, { hasOtherNodes, shared, onFatal, failpoint, now, log });
  const context = { config, overrides, log, nodeName, tls, hasOtherNodes, hasRole, now, failpoint };
  try {
    return await buildServer(adapters, context);
  } catch (error) {
    await adapters.close();
    throw error;
  }
}

/** What a server is built with beside its adapters. */
interface BuildContext {
  config: Config;
  overrides: Overrides;
  log: Logger;
  nodeName: string;
  tls: ReturnType<typeof readTls>;
  hasOtherNodes: boolean;
  hasRole(role: Role): boolean;
  now(): number;
  failpoint: PassFailpoint;
}

async function buildServer(adapters: Adapters, context: BuildContext): Promise<ServerParts> {
  const { config, overrides, log, nodeName, tls, hasOtherNodes, hasRole, now, failpoint } = context;
  const { store, bus, presence, rateLimiter, isConnected, blobs, webPush, metrics, prometheus } = adapters;
  const dataDir = dataFolder(config);

  // Made only after the database was opened: a folder with a secret and an empty database is one that has lost its database.
  const secret = config.SECRET ?? loadSecret(dataDir);
  const passwordHasher = createPasswordHasher(config.PASSWORD_COST);
  const isOriginAllowed = createOriginCheck(config);
  const background = createBackgroundTasks(log);
  const liveSettings = createLiveSettings({
    store,
    bus,
    fallback: fallbackSettingsOf(config),
    inBackground: background.add,
    log,
  });
  const settings = settingsOf(config, webPush, liveSettings);
  const startedAt = now();
  const sweepFiles = () =>
    // Other nodes may be taking uploads that began before this one started.
    sweepOrphans(store, blobs, {
      now: now(),
      startedAt: hasOtherNodes ? -Infinity : startedAt,
      nextTurn: () => nextTurn(),
    });
  const releasedFiles = createFileDeletion(() => deleteMarkedFiles(store, blobs));
  const deleteReleasedFiles = () => background.add(releasedFiles.run());
  const tokens = createTokens(secret);
  const node = createNode({
    store,
    bus,
    presence,
    rateLimiter,
    tokens,
    passwordHasher,
    settings,
    webPush,
    gateway: {
      isOriginAllowed: (origin, host) => isOriginAllowed(origin) || isSameHost(origin, host),
      addressOf: createAddressResolver(config),
      hasRole: hasRole("gateway"),
      newSocketsMax: config.RATE_LIMITS ? NEW_SOCKETS_PER_ADDRESS_MAX : Infinity,
      terminalSocketsMax: config.RATE_LIMITS ? SOCKETS_PER_TERMINAL_MAX : Infinity,
      log,
    },
    failpoint,
    metrics,
    hasOtherNodes,
    now,
    after: (ms, work) => void setTimeout(work, ms).unref(),
    inBackground: background.add,
    deleteReleasedFiles,
    nextTurn: () => nextTurn(),
  });
  const { sessions, gateway, delivery } = node;
  const saveLastSeen = () => sessions.saveLastSeen(now());
  const pictureEncoder = createPictureProcesses({
    onCrash: (detail) => log.warn({ detail }, "a picture has crashed the process that encoded it"),
  });
  const pictures = createPictures(pictureEncoder, rateLimiter);
  const uploads = createUploads({
    store,
    blobs,
    rateLimiter,
    pictures,
    maxBytes: () => liveSettings.current().uploadMaxMb * MEBIBYTE,
    dailyMaxBytes: () => liveSettings.current().uploadDailyMb * MEBIBYTE,
    isRegistrationOpen: () => liveSettings.current().isRegistrationOpen,
    now,
    inBackground: background.add,
  });
  const { defaultLanguage } = settings;
  const exports = createExports({ store, bus, presence, delivery, blobs, defaultLanguage, now });
  const exportLinks = createExportLinks({ tokens, rateLimiter, sessions });
  const adminParts = {
    exports,
    store,
    presence,
    delivery,
    passwordHasher,
    defaultLanguage,
    now,
    deleteReleasedFiles,
  };
  const registration = createNodeRegistration({
    nodeName,
    roles: config.ROLES,
    startedAt,
    now,
    store,
    gateway,
  });
  const adminServices = createAdminServices(
    {
      ...adminParts,
      liveSettings,
      inBackground: background.add,
      ownNode: registration.row,
      checks: overviewChecksOf({ config, store, blobs, isHttps: settings.isHttps, now }),
    },
    gateway,
  );
  const http = await createHttpServer({
    hasApi: hasRole("api"),
    handlers: {
      ...node.handlers,
      ...uploads,
      ...exportLinks.handlers,
      ...createAdminHandlers(adminServices.calls),
    },
    exports: {
      openExport: async (token, language) =>
        exports.archiveOf(await exportLinks.open(token, now()), language),
    },
    sessions,
    // A node may not have heard of a ban yet.
    isAdmin: async (userId) => isActiveAdmin(await store.findUser(userId)),
    files: { blobs, store },
    rateLimiter,
    log,
    now,
    clockAheadMs: () => store.clockAheadMs(),
    failpoint,
    metrics,
    metricsPage: config.METRICS_PORT === undefined ? prometheus.page : undefined,
    nodeName,
    fileMaxBytes: () => liveSettings.current().uploadMaxMb * MEBIBYTE,
    // A proxy need not find out by failing requests that this node is about to end.
    isReady: async () => !gateway.isStopping && (await store.isReady()),
    isConnected,
    isOriginAllowed,
    trustProxy: config.TRUST_PROXY,
    wholeRequestMs: overrides.wholeRequestMs ?? WHOLE_REQUEST_MS,
    tls,
    isHttps: settings.isHttps,
    webFolder: overrides.webFolder ?? WEB_FOLDER,
    isOfflineAppOn: config.OFFLINE_APP,
    openApi: openApiDocument,
  });
  const messageClock = createMessageClock(store, now, log);
  await messageClock.check();
  prometheus.observe({
    messagesAheadMs: () => messageClock.aheadMs(),
    sockets: () => gateway.socketCount(),
    people: () => gateway.userCount(),
    isConnected,
    queues: {
      writes: () => store.waitingWrites(),
      passwords: () => passwordHasher.waiting(),
      pictures: () => pictures.waiting(),
      webPushes: () => node.waitingWebPushes(),
      background: () => background.count(),
    },
    dataFolder: () => fileSystemOf(dataDir),
  });
  const metricsServer =
    config.METRICS_PORT === undefined || prometheus.page === undefined
      ? undefined
      : createMetricsServer(prometheus.page, (error) => log.error({ err: error }, "no metrics"));
  http.server.on("upgrade", (request, socket, head) => gateway.upgrade(request, socket, head));

  const lease = hasOtherNodes && hasRole("jobs") ? createJobLease(store, now) : ownLease;
  const jobs = createJobs(now, background.add, lease);
  const nightly = nightlyBackupsOf(config, now, log);
  // Over a network, a commit may get no answer, or a read that its push needs may fail, also without other nodes.
  const mayMissPushes = config.DATABASE_URL !== undefined && hasRole("gateway");
  addJobs(jobs, {
    hasOtherNodes,
    mayMissPushes,
    hasRole,
    node,
    saveLastSeen,
    checkMessageTimes: messageClock.check,
    saveNode: registration.save,
    loadSettings: liveSettings.load,
    renewLease: lease.renew,
    sweepFiles,
    deleteExpiredSessions: () => deleteExpiredSessions(store, now()),
    resumeNotices: adminServices.notices.resume,
    sweepBackups: nightly?.sweep,
  });
  // Before the first client connects, it is known what was stored before.
  if (mayMissPushes) await node.sweepMissedPushes();

  return {
    store,
    http,
    metricsServer,
    gateway,
    jobs,
    background,
    adminServices,
    finishWork: async () => {
      // With other nodes, both are jobs of the one that has the lease.
      if (hasOtherNodes) return;
      await adminServices.notices.resume();
      await sweepFiles();
    },
    saveLastSeen,
    async endJobs() {
      nightly?.stop();
      await lease.release();
      if (hasOtherNodes) await registration.remove();
    },
    resumeCalls: node.calls.resume,
    endPictures: pictureEncoder.close,
    endWebPush: () => webPush?.close(),
    async connectNodes() {
      await adapters.connect();
      await liveSettings.load();
    },
    closeAdapters: adapters.close,
  };
}
