/** Composition root: the only file that chooses adapters. It builds the server; `app.ts` starts and stops it. */
import { randomUUID } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Server } from "node:http";
import type { FastifyInstance } from "fastify";
import type { DestinationStream, Logger } from "pino";
import type { SystemConfig } from "@parley/protocol/entities";
import { IMAGE_MAX_BYTES } from "@parley/protocol/limits";
import { openApiDocument } from "@parley/protocol/openapi";
import { PROTOCOL_VERSION } from "@parley/protocol/version";
import { openDiskBlobs } from "./adapters/blobs/disk-blobs.ts";
import { openS3Blobs } from "./adapters/blobs/s3-blobs.ts";
import { S3Failure } from "./adapters/blobs/s3-requests.ts";
import { createMemoryBus } from "./adapters/bus/memory-bus.ts";
import { createMemoryPresence } from "./adapters/presence/memory-presence.ts";
import { createRateLimiter, noRateLimiter } from "./adapters/rate-limiter/memory-rate-limiter.ts";
import { type OpenedStore, openStore } from "./adapters/store/open-store.ts";
import { recordAct } from "./access/administration.ts";
import { isAccountActive } from "./access/people.ts";
import type { AdminServices } from "./admin-commands.ts";
import { createAdminHandlers } from "./admin-handlers.ts";
import type { AdminHandlers } from "./api/admin-act.ts";
import { createWebPushSender } from "./adapters/web-push/web-push-sender.ts";
import { loadVapidKeys } from "./adapters/web-push/vapid-keys.ts";
import { type BackgroundTasks, createBackgroundTasks } from "./background-tasks.ts";
import { type Config, ConfigError, ROLES, type Role, dataFolder, s3SettingsOf, storeUrl } from "./config.ts";
import { filesFolder } from "./data-folders.ts";
import { createDelivery } from "./delivery.ts";
import { existingBlobs } from "./existing-blobs.ts";
import { type Exports, createExports } from "./export-sources.ts";
import {
  createAddressResolver,
  createOriginCheck,
  fileSystemOf,
  isSameHost,
  loadSecret,
  makeFolder,
  openDataFolder,
  readTls,
  reasonOf,
} from "./environment.ts";
import type { Gateway } from "./gateway/gateway.ts";
import { createHttpServer } from "./http/http-server.ts";
import { createMetricsServer } from "./http/metrics-page.ts";
import { measureBlobs, measureBus, measureStore, measureWebPush } from "./metrics/measured-parts.ts";
import { createJobLease, ownLease } from "./job-lease.ts";
import { type Jobs, createJobs } from "./jobs.ts";
import { type AccountAdminDeps, createAccountAdmin } from "./modules/account/account-admin.ts";
import { type NightlyBackups, backupProcess, createNightlyBackups } from "./nightly-backup.ts";
import { createSetupLinks } from "./modules/account/first-admin.ts";
import { listAccounts } from "./modules/account/list-accounts.ts";
import { createPasswordHasher } from "./modules/account/password-hasher.ts";
import { deleteExpiredSessions } from "./modules/account/session-cache.ts";
import { createTokens } from "./modules/account/tokens.ts";
import { createAdminCalls } from "./modules/administration/admin-calls.ts";
import { createAuditLog } from "./modules/administration/audit-log.ts";
import {
  type LiveSettings,
  type SettingValues,
  createLiveSettings,
} from "./modules/administration/live-settings.ts";
import { type OverviewDeps, createOverview } from "./modules/administration/overview.ts";
import { createExportLinks } from "./modules/export/export-links.ts";
import { createGroupAdmin } from "./modules/groups/group-admin.ts";
import { createNotices } from "./modules/notices/notices.ts";
import { createReportAdmin } from "./modules/reports/reports.ts";
import { createFileDeletion } from "./modules/uploads/file-deletion.ts";
import { deleteMarkedFiles, sweepOrphans } from "./modules/uploads/orphan-sweep.ts";
import { createPictures } from "./modules/uploads/pictures.ts";
import { createUploads } from "./modules/uploads/uploads.ts";
import { noClosedPages } from "./modules/web-push/web-push.ts";
import { type NodeSettings, composeAccountStatus, createNode } from "./node.ts";
import { overviewChecksOf } from "./overview-checks.ts";
import type { Blobs } from "./ports/blobs.ts";
import type { Bus } from "./ports/bus.ts";
import { type PassFailpoint, noFailpoints } from "./ports/failpoints.ts";
import { type Metrics, noMetrics } from "./ports/metrics.ts";
import type { Presence } from "./ports/presence.ts";
import type { RateLimiter } from "./ports/rate-limiter.ts";
import { StoreUnavailableError } from "./ports/store-unavailable-error.ts";
import type { WebPushSender } from "./ports/web-push.ts";
import { listStats } from "./stats.ts";

const MEBIBYTE = 1_048_576;
/** How often the last activity of sessions is saved. */
const SAVE_LAST_SEEN_MS = 60_000;
/** How often unclaimed files and expired sessions are deleted. */
const CLEANUP_MS = 3_600_000;
/** How often devices without an open page are told what is due. */
const WEB_PUSH_MS = 1_000;
/** How often it is looked for notices whose server has ended before everybody had them. */
const NOTICES_MS = 30_000;
const RENEW_LEASE_MS = 1_000;
/** How often it is looked whether a backup is due. */
const BACKUP_MS = 60_000;
/** How often a node says in the database that it is there. */
const SAVE_NODE_MS = 10_000;
/** How often a node reads the settings that administrators may have changed. */
const LOAD_SETTINGS_MS = 30_000;
/** A node that was killed comes back as another one, so its row must not look like a loss for long. */
const FORGET_NODE_MS = 15 * 60_000;
/** How often it is looked for pushes of other nodes that did not arrive. */
const MISSED_PUSHES_MS = 2_000;
/** How often it is looked for calls that are due to end. */
const CALLS_MS = 1_000;
const NEW_SOCKETS_PER_ADDRESS_MAX = 2_000;
/** Whom push services may contact if the operator names nobody. Some of them, such as that of Apple, refuse it. */
const NO_SUBJECT = "mailto:operator@parley.invalid";
const ROLES_ALONE =
  "ROLES must name all roles unless DATABASE_URL and REDIS_URL are set, because there are no other nodes.";
const WHOLE_REQUEST_MS = 600_000;
const WEB_FOLDER = fileURLToPath(new URL("../../web/dist", import.meta.url));

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
  shared?: { bus: Bus; presence: Presence };
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
  /** Ends the requests to push services that are under way. */
  endWebPush(): void;
  /** Connects to the other nodes. A Redis that is away is waited for in the background. */
  connectNodes(): Promise<void>;
  /** Closes the adapters. Nothing may use them any more. */
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
  const uploadFolder = filesFolder(dataDir);
  openDataFolder(dataDir);
  makeFolder(uploadFolder);
  const tls = readTls(config);
  const secret = config.SECRET ?? loadSecret(dataDir);
  const onFatal =
    overrides.onFatal ?? ((error: Error) => log.fatal({ err: error }, "the store can no longer be trusted"));

  const hasOtherNodes = overrides.shared !== undefined || mayHaveOtherNodes(config);
  const hasRole = (role: Role) => config.ROLES.includes(role);
  if (!hasOtherNodes && !ROLES.every(hasRole)) throw new ConfigError(ROLES_ALONE);
  const servers = hasOtherNodes ? "several" : "one";
  const { metrics, measured, ...prometheus } = await composeMetrics(config, now);
  const store = measured.store(
    await openStore({ url: storeUrl(config), onFatal, servers, failpoint, metrics }),
  );
  const { presence, rateLimiter, connect, close, ...nodes } = await connectNodes(
    config,
    store.epoch,
    log,
    metrics,
    overrides.shared,
  );
  const bus = measured.bus(nodes.bus);
  const blobs = measured.blobs(await openBlobs(config, uploadFolder, now(), log));

  const passwordHasher = createPasswordHasher(config.PASSWORD_COST);
  const isOriginAllowed = createOriginCheck(config);
  const background = createBackgroundTasks(log);
  const webPushSender = await webPushSenderOf(config, store, dataDir);
  const webPush = webPushSender && measured.webPush(webPushSender);
  const liveSettings = createLiveSettings({
    store,
    bus,
    fallback: fallbackSettingsOf(config),
    inBackground: background.add,
  });
  const settings = settingsOf(config, webPush, liveSettings);
  const startedAt = now();
  // A server that starts again under its name is another one: the old row is that of a process that may have died.
  const nodeId = `${nodeName}-${randomUUID().slice(0, 8)}`;
  const sweepFiles = () =>
    // Other nodes may be taking uploads that began before this one started.
    sweepOrphans(store, blobs, {
      now: now(),
      startedAt: hasOtherNodes ? -Infinity : startedAt,
      nextTurn: () => nextTurn(),
    });
  const releasedFiles = createFileDeletion(() => deleteMarkedFiles(store, blobs));
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
      log,
    },
    failpoint,
    metrics,
    hasOtherNodes,
    now,
    inBackground: background.add,
    deleteReleasedFiles: () => background.add(releasedFiles.run()),
    nextTurn: () => nextTurn(),
  });
  const { sessions, gateway, delivery } = node;
  const uploads = createUploads({
    store,
    blobs,
    rateLimiter,
    pictures: createPictures(),
    maxBytes: () => liveSettings.current().uploadMaxMb * MEBIBYTE,
    dailyMaxBytes: () => liveSettings.current().uploadDailyMb * MEBIBYTE,
    now,
    inBackground: background.add,
  });
  const { defaultLanguage } = settings;
  const exports = createExports({ store, bus, presence, delivery, blobs, defaultLanguage, now });
  const exportLinks = createExportLinks({ tokens, rateLimiter, sessions });
  const adminParts = { exports, store, presence, delivery, passwordHasher, defaultLanguage, now };
  const ownNode = () => ({
    id: nodeId,
    roles: [...config.ROLES],
    version: PROTOCOL_VERSION,
    startedAt,
    seenAt: now(),
    sockets: gateway.socketCount(),
    people: gateway.userCount(),
  });
  const saveNode = () => store.write((tx) => tx.saveNode(ownNode(), now() - FORGET_NODE_MS));
  const adminServices = createAdminServices(
    {
      ...adminParts,
      liveSettings,
      inBackground: background.add,
      ownNode,
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
    isAdmin: async (userId) => {
      const user = await store.findUser(userId);
      return user !== undefined && user.isAdmin && isAccountActive(user);
    },
    files: { blobs, store },
    log,
    now,
    failpoint,
    metrics,
    metricsPage: config.METRICS_PORT === undefined ? prometheus.page : undefined,
    nodeName,
    fileMaxBytes: () => liveSettings.current().uploadMaxMb * MEBIBYTE,
    // A proxy need not find out by failing requests that this node is about to end.
    isReady: async () => !gateway.isStopping && (await store.isReady()),
    isOriginAllowed,
    trustProxy: config.TRUST_PROXY,
    wholeRequestMs: overrides.wholeRequestMs ?? WHOLE_REQUEST_MS,
    tls,
    isHttps: settings.isHttps,
    webFolder: overrides.webFolder ?? WEB_FOLDER,
    isOfflineAppOn: config.OFFLINE_APP,
    openApi: openApiDocument,
  });
  prometheus.observe({
    sockets: () => gateway.socketCount(),
    people: () => gateway.userCount(),
    queues: {
      writes: () => store.waitingWrites(),
      passwords: () => passwordHasher.waiting(),
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
  jobs.every(SAVE_LAST_SEEN_MS, () => sessions.saveLastSeen(now()));
  jobs.every(WEB_PUSH_MS, node.sweepWebPush);
  jobs.every(RENEW_LEASE_MS, lease.renew);
  if (hasOtherNodes) {
    jobs.every(SAVE_NODE_MS, saveNode);
    // The event of a change is lost while Redis or the database is away.
    jobs.every(LOAD_SETTINGS_MS, liveSettings.load);
  }
  if (hasOtherNodes && hasRole("gateway")) {
    await node.sweepMissedPushes();
    jobs.every(MISSED_PUSHES_MS, node.sweepMissedPushes);
  }
  if (hasRole("jobs")) {
    // Each call is a due row that the transaction of one node handles, so no node has to wait for the lease.
    jobs.every(CALLS_MS, node.calls.sweep);
    jobs.everyForOne(CLEANUP_MS, sweepFiles);
    jobs.everyForOne(CLEANUP_MS, () => deleteExpiredSessions(store, now()));
    jobs.everyForOne(NOTICES_MS, adminServices.notices.resume);
    if (nightly !== undefined) jobs.everyForOne(BACKUP_MS, nightly.sweep);
  }

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
    saveLastSeen: () => sessions.saveLastSeen(now()),
    async endJobs() {
      nightly?.stop();
      await lease.release();
      if (hasOtherNodes) await store.write((tx) => tx.removeNode(nodeId));
    },
    resumeCalls: node.calls.resume,
    endWebPush: () => webPush?.close(),
    async connectNodes() {
      await connect();
      await liveSettings.load();
    },
    async closeAdapters() {
      await close();
      await blobs.close();
      await store.close();
    },
  };
}

/** The metrics of a server, how its adapters are measured, and where Prometheus reads them. Off, all of it does nothing. */
async function composeMetrics(config: Config, now: () => number) {
  if (config.METRICS_PORT === undefined && config.METRICS_TOKEN === undefined) {
    const same = <T>(part: T): T => part;
    const measured = {
      store: same<OpenedStore>,
      bus: same<Bus>,
      blobs: same<Blobs>,
      webPush: same<WebPushSender>,
    };
    return { metrics: noMetrics, measured, page: undefined, observe: () => undefined };
  }
  // A server without metrics does not load the library.
  const { createPrometheusMetrics } = await import("./metrics/prometheus-metrics.ts");
  const { metrics, contentType, text, observe } = createPrometheusMetrics(now);
  return {
    metrics,
    measured: {
      store: (store: OpenedStore) => measureStore(store, metrics),
      bus: (bus: Bus) => measureBus(bus, metrics),
      blobs: (blobs: Blobs) => measureBlobs(blobs, metrics),
      webPush: (sender: WebPushSender) => measureWebPush(sender, metrics),
    },
    page: { token: config.METRICS_TOKEN, contentType, text },
    observe,
  };
}

/** Whether nodes share the database and hear of each other. A database of SQLite belongs to one. Throws if they would not fit together. */
function mayHaveOtherNodes({ DATABASE_URL, REDIS_URL, SECRET }: Config): boolean {
  if (DATABASE_URL === undefined || REDIS_URL === undefined) return false;
  if (SECRET === undefined)
    throw new ConfigError("SECRET must be set, and be the same for every server that shares REDIS_URL.");
  return true;
}

/** What the nodes share besides the store. */
interface NodeConnection {
  bus: Bus;
  presence: Presence;
  rateLimiter: RateLimiter;
  connect(): Promise<void>;
  close(): Promise<void>;
}

/** Chooses what connects the nodes. Redis is loaded only where it is used. */
async function connectNodes(
  config: Config,
  epoch: string,
  log: Logger,
  metrics: Metrics,
  given?: Overrides["shared"],
): Promise<NodeConnection> {
  const onError = (error: unknown) => log.error({ err: error }, "a listener failed");
  const { REDIS_URL: url, RATE_LIMITS: rates } = config;
  if (given !== undefined || url === undefined) {
    const { bus, presence } = given ?? { bus: createMemoryBus(onError), presence: createMemoryPresence() };
    const rateLimiter = rates ? createRateLimiter(rates) : noRateLimiter;
    const close = async () => {
      await bus.close();
      await presence.close();
    };
    return { bus, presence, rateLimiter, connect: async () => undefined, close };
  }
  const [{ createRedisConnection }, { createRedisBus }, { createRedisPresence }, { createRedisRateLimiter }] =
    await Promise.all([
      import("./adapters/redis/redis-connection.ts"),
      import("./adapters/bus/redis-bus.ts"),
      import("./adapters/presence/redis-presence.ts"),
      import("./adapters/rate-limiter/redis-rate-limiter.ts"),
    ]);
  // The epoch is the name of the installation: others may use the same Redis.
  const name = `parley:${epoch}`;
  const connection = createRedisConnection({ url, log });
  const bus = createRedisBus({ connection, channel: name, onError, metrics });
  const presence = createRedisPresence({ connection, key: `${name}:presence` });
  const rateLimiter = rates
    ? createRedisRateLimiter({ connection, rates, key: `${name}:limit` })
    : noRateLimiter;
  const close = async () => {
    await bus.close();
    await presence.close();
    await connection.close();
  };
  return { bus, presence, rateLimiter, connect: () => connection.start(), close };
}

/**
 * Opens the storage of files. A bucket that refuses the settings is an error of the operator; one that does not answer may come back while the server
 * runs, so it is only logged.
 */
async function openBlobs(config: Config, folder: string, now: number, log: Logger): Promise<Blobs> {
  const settings = s3SettingsOf(config);
  if (settings === undefined) return openDiskBlobs(folder, now);
  const blobs = await openS3Blobs(settings, folder, now);
  try {
    await blobs.probe();
  } catch (error) {
    if (!(error instanceof StoreUnavailableError)) throw error;
    const { cause } = error;
    if (cause instanceof S3Failure && cause.isRefusal) {
      throw new ConfigError(`S3_BUCKET ${settings.bucket} cannot be used: ${cause.message}.`);
    }
    log.warn({ reason: error.message }, "files cannot be stored or read yet");
  }
  return blobs;
}

/**
 * Opens the store for administration. Throws if a server is using it and the store allows one only, or if it was moved to another database and
 * may not be.
 */
export async function composeAdmin(
  config: Config,
  log: Logger,
  { mayBeMoved }: { mayBeMoved: boolean },
): Promise<{ services: AdminServices; close(): Promise<void> }> {
  openDataFolder(dataFolder(config));
  const store = await openStore({ url: storeUrl(config), onFatal: () => {}, mayBeMoved });
  const { bus, presence, connect, close } = await connectNodes(config, store.epoch, log, noMetrics);
  await connect();
  // Nobody is connected here, but servers on other machines may use the same database.
  const delivery = createDelivery({
    bus,
    closedPages: noClosedPages,
    socketsOf: () => [],
    send: () => undefined,
    waitForDrain: async () => false,
    failpoint: noFailpoints,
  });
  const blobs = existingBlobs(config);
  const common = { store, delivery, presence, defaultLanguage: config.DEFAULT_LANGUAGE, now: Date.now };
  const parts = {
    ...common,
    exports: createExports({ ...common, bus, blobs }),
    passwordHasher: createPasswordHasher(config.PASSWORD_COST),
  };
  const background = createBackgroundTasks(log);
  const inBackground = background.add;
  const liveSettings = createLiveSettings({ store, bus, fallback: fallbackSettingsOf(config), inBackground });
  return {
    services: createAdminServices(
      {
        ...parts,
        liveSettings,
        inBackground,
        ownNode: undefined,
        checks: overviewChecksOf({
          config,
          store,
          blobs: undefined,
          isHttps: isHttpsOf(config),
          now: Date.now,
        }),
      },
      undefined,
    ),
    async close() {
      await background.settle();
      await close();
      await blobs.close();
      await store.close();
    },
  };
}

/** `gateway` is undefined if no server runs. */
function createAdminServices(
  deps: { store: OpenedStore; exports: Exports; liveSettings: LiveSettings; now(): number } & Pick<
    OverviewDeps,
    "ownNode" | "checks"
  > &
    Omit<AccountAdminDeps, "accountStatus"> &
    Parameters<typeof composeAccountStatus>[0] &
    Parameters<typeof createGroupAdmin>[0] &
    Parameters<typeof createNotices>[0],
  gateway: Gateway | undefined,
): AdminServices {
  const { store, now } = deps;
  const notices = createNotices(deps);
  const handlers: AdminHandlers = {
    ...createAccountAdmin({ ...deps, accountStatus: composeAccountStatus(deps) }),
    ...createGroupAdmin(deps),
    ...notices.handlers,
    ...createAuditLog(deps),
    ...createReportAdmin(deps),
    ...deps.liveSettings.handlers,
    ...createOverview({ ...deps, databaseBytes: () => store.bytes() }),
  };
  return {
    calls: createAdminCalls({ store, handlers, now }),
    notices,
    setupLinks: createSetupLinks(store),
    findUserByName: (userName) => store.findUserByName(userName),
    findGroup: (groupId) => store.findGroup(groupId),
    listAccounts: () => listAccounts(store),
    writeExport: deps.exports.writeArchive,
    listStats: () => listStats({ store, gateway }),
    // The clients of a running server already know the epoch with which it started.
    renewEpoch:
      gateway === undefined
        ? (act) =>
            store.write(async (tx) => {
              await recordAct(tx, act);
              await tx.renewEpoch();
            })
        : undefined,
  };
}

/** Undefined if no nightly backups are wanted. */
function nightlyBackupsOf(config: Config, now: () => number, log: Logger): NightlyBackups | undefined {
  const { BACKUP: settings, BACKUP_PASSPHRASE: passphrase } = config;
  if (settings === undefined) return undefined;
  const makeBackup = backupProcess(config);
  return createNightlyBackups({ settings, isEncrypted: passphrase !== undefined, now, log, makeBackup });
}

/** Null if web push is off. */
async function webPushSenderOf(
  config: Config,
  store: OpenedStore,
  dataDir: string,
): Promise<WebPushSender | null> {
  if (config.WEB_PUSH === "off") return null;
  const keys = await loadVapidKeys(store, dataDir).catch((error: unknown) => {
    throw new ConfigError(`The keys of web push in ${dataDir} cannot be used: ${reasonOf(error)}.`);
  });
  return createWebPushSender({
    keys,
    subject: config.VAPID_SUBJECT ?? httpsUrlOf(config) ?? NO_SUBJECT,
    isPrivateAllowed: config.WEB_PUSH === "private",
  });
}

function httpsUrlOf({ PUBLIC_URL }: Config): string | undefined {
  return PUBLIC_URL?.startsWith("https:") === true ? PUBLIC_URL : undefined;
}

function isHttpsOf({ TLS_CERT, TLS_KEY, PUBLIC_URL }: Config): boolean {
  return (TLS_CERT !== undefined && TLS_KEY !== undefined) || (PUBLIC_URL?.startsWith("https:") ?? false);
}

function fallbackSettingsOf(config: Config): SettingValues {
  return {
    isRegistrationOpen: config.OPEN_REGISTRATION,
    isInviteCodeRequired: config.INVITE_CODE_REQUIRED,
    isAvatarRequired: config.AVATAR_REQUIRED,
    recallSeconds: config.RECALL_SECONDS,
    editSeconds: config.EDIT_SECONDS,
    uploadMaxMb: config.UPLOAD_MAX_MB,
    uploadDailyMb: config.UPLOAD_DAILY_MB,
  };
}

function settingsOf(
  config: Config,
  webPush: WebPushSender | null,
  { current }: Pick<LiveSettings, "current">,
): NodeSettings {
  return {
    defaultLanguage: config.DEFAULT_LANGUAGE,
    isHttps: isHttpsOf(config),
    registration() {
      const { isRegistrationOpen: isOpen, isInviteCodeRequired, isAvatarRequired } = current();
      return { isOpen, isInviteCodeRequired, isAvatarRequired };
    },
    isMoneyAllowed: config.MONEY_CARDS,
    systemConfig: () => systemConfigOf(config, webPush, current()),
    ice: iceOf(config),
  };
}

function iceOf({ ICE_URLS: urls, TURN_SECRET: secret }: Config): NodeSettings["ice"] {
  if (secret === undefined && urls.some((url) => url.startsWith("turn")))
    throw new ConfigError("TURN_SECRET must be set, because ICE_URLS names a TURN server");
  return { urls, secret: secret ?? "" };
}

function systemConfigOf(
  config: Config,
  webPush: WebPushSender | null,
  { uploadMaxMb, recallSeconds, editSeconds }: SettingValues,
): SystemConfig {
  const fileMax = uploadMaxMb * MEBIBYTE;
  return {
    webrtc: { maxChannel: config.MAX_CALL_CHANNELS, heldOffer: true, iceServers: [] },
    message: { recallSeconds, editSeconds },
    upload: { imageMax: Math.min(IMAGE_MAX_BYTES, fileMax), fileMax },
    webPush: webPush && { publicKey: webPush.publicKey },
  };
}
