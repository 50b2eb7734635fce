/** Composition root: the only file that chooses adapters. */
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { Server } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { FastifyInstance } from "fastify";
import type { DestinationStream, Logger } from "pino";
import type { SystemConfig } from "@parley/protocol/entities";
import { IMAGE_MAX_BYTES } from "@parley/protocol/limits";
import { openApiDocument } from "@parley/protocol/openapi";
import { openDiskBlobs } from "./adapters/blobs/disk-blobs.ts";
import { createMemoryBus } from "./adapters/bus/memory-bus.ts";
import { createMemoryPresence } from "./adapters/presence/memory-presence.ts";
import { StoreLockedError, StoreUnusableError } from "./adapters/store/store-errors.ts";
import { type OpenedStore, openStore } from "./adapters/store/open-store.ts";
import { UNREADABLE_ROW_CHANNEL, type UnreadableRow } from "./adapters/store/unreadable-rows.ts";
import {
  type AdminAnswer,
  type AdminCommand,
  type AdminServices,
  runAdminCommand,
} from "./admin-commands.ts";
import { serveAdminSocket } from "./admin-socket.ts";
import { type Config, ConfigError, dataFolder } from "./config.ts";
import { createDelivery } from "./delivery.ts";
import {
  createAddressResolver,
  createLog,
  loadSecret,
  isSameHost,
  makeFolder,
  createOriginCheck,
  readTls,
  reasonOf,
  serverUrlOf,
} from "./environment.ts";
import { databasePath, filesFolder } from "./data-folders.ts";
import { type Gateway, createGateway } from "./gateway/gateway.ts";
import { createRateLimiter, noRateLimiter } from "./adapters/rate-limiter/memory-rate-limiter.ts";
import type { Handlers } from "./calls/call.ts";
import { createHttpServer } from "./http/http-server.ts";
import { type Jobs, createJobs } from "./jobs.ts";
import { createAccountAdmin } from "./modules/account/account-admin.ts";
import {
  type AccountStatusDeps,
  createAccountStatus,
  createUnregister,
} from "./modules/account/account-status.ts";
import { createLogin } from "./modules/account/login.ts";
import { createPasswordHasher } from "./modules/account/password-hasher.ts";
import { createProfile } from "./modules/account/profile.ts";
import { createRegister } from "./modules/account/register.ts";
import { createSessionCache, deleteExpiredSessions } from "./modules/account/session-cache.ts";
import { createSettings } from "./modules/account/settings.ts";
import { createTokens } from "./modules/account/tokens.ts";
import { createBlacklist } from "./modules/contacts/blacklist.ts";
import { createDeleteAccountContacts } from "./modules/contacts/delete-account-contacts.ts";
import { createFriends } from "./modules/contacts/friends.ts";
import { createFriendRequests } from "./modules/contacts/friend-requests.ts";
import { createGroupAdmin } from "./modules/groups/group-admin.ts";
import { createUpdateGroup } from "./modules/groups/update-group.ts";
import { createDeleteAccountMemberships } from "./modules/groups/delete-account-memberships.ts";
import { createManageMembers } from "./modules/groups/manage-members.ts";
import { createGroupPreferences } from "./modules/groups/group-preferences.ts";
import { createGroupQueries } from "./modules/groups/group-queries.ts";
import { createGroupRequests } from "./modules/groups/group-requests.ts";
import { createNotifyGroup } from "./modules/groups/notify-group.ts";
import { createChatHistory } from "./modules/messages/chat-history.ts";
import { createGroupChats } from "./modules/messages/group-chats.ts";
import { createPrivateChats } from "./modules/messages/private-chats.ts";
import { createDeleteForMe } from "./modules/messages/delete-for-me.ts";
import { createPullMessages } from "./modules/messages/pull-messages.ts";
import { createReadMessages } from "./modules/messages/read-messages.ts";
import { createRecallMessage } from "./modules/messages/recall-message.ts";
import { createGroupCache } from "./modules/messages/group-cache.ts";
import { createSearchMessages } from "./modules/messages/search-messages.ts";
import { createSendMessage } from "./modules/messages/send-message.ts";
import { createFriendshipCache } from "./modules/messages/friendship-cache.ts";
import { createNoticeHandlers, createNotices } from "./modules/notices/notices.ts";
import { sweepOrphans } from "./modules/uploads/orphan-sweep.ts";
import { createPictures } from "./modules/uploads/pictures.ts";
import { createUploads } from "./modules/uploads/uploads.ts";
import { listStats } from "./stats.ts";

const MEBIBYTE = 1_048_576;
const JOB_INTERVAL_MS = 1_000;
/** How often the last activity of sessions is saved. */
const SAVE_LAST_SEEN_MS = 60_000;
/** How often unclaimed files and expired sessions are deleted. */
const CLEANUP_MS = 3_600_000;
const NEW_SOCKETS_PER_ADDRESS_MAX = 2_000;
/** How long running requests may take to finish when the server stops. */
const FINISH_REQUESTS_MS = 2_000;
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
}

/** A server that can be started and stopped. */
export interface App {
  /** Opens the store and listens. Throws one-sentence errors for problems that the operator can fix. */
  start(): Promise<void>;
  /** Finishes running work and closes everything. */
  stop(): Promise<void>;
  /** The URL that people open, such as http://localhost:8080; available after `start`. */
  readonly url: string;
  readonly port: number;
  /** Runs the checks and jobs that are due. The app calls it every second; tests call it after moving the clock. */
  sweep(): void;
  readonly store: OpenedStore;
  readonly log: Logger;
}

interface Running {
  store: OpenedStore;
  http: FastifyInstance;
  gateway: Gateway;
  jobs: Jobs;
  timer: NodeJS.Timeout;
  port: number;
  close(): Promise<void>;
}

/** Why the server does not start, in one sentence for the operator. */
class StartError extends Error {}

/** Whether an error has a one-sentence message for the operator and needs no stack trace. */
export function isUserFacingError(error: unknown): error is Error {
  const kinds = [ConfigError, StartError, StoreLockedError, StoreUnusableError];
  return kinds.some((kind) => error instanceof kind);
}

/** Creates a server; `start` starts it. */
export function createApp(config: Config, overrides: Overrides = {}): App {
  const log = createLog(config, overrides.logTo);
  let running: Running | undefined;
  const requireRunning = (): Running => {
    if (running === undefined) throw new Error("the app is not running");
    return running;
  };
  return {
    log,
    async start() {
      running = await run(config, overrides, log);
    },
    async stop() {
      const stopping = running;
      running = undefined;
      await stopping?.close();
    },
    get url() {
      return serverUrlOf(config, requireRunning().port);
    },
    get port() {
      return requireRunning().port;
    },
    get store() {
      return requireRunning().store;
    },
    sweep() {
      requireRunning().gateway.sweep();
      requireRunning().jobs.sweep();
    },
  };
}

async function run(config: Config, overrides: Overrides, log: Logger): Promise<Running> {
  const now = overrides.now ?? Date.now;
  const dataDir = dataFolder(config);
  const uploadFolder = filesFolder(dataDir);
  makeFolder(dataDir);
  makeFolder(uploadFolder);
  const tls = readTls(config);
  const secret = config.SECRET ?? loadSecret(dataDir);
  const onFatal =
    overrides.onFatal ?? ((error: Error) => log.fatal({ err: error }, "the store can no longer be trusted"));

  const database = databasePath(dataDir);
  const store = await openStore({ url: database, onFatal });
  const stopLoggingUnreadable = logUnreadable(log);
  const bus = createMemoryBus((error) => log.error({ err: error }, "a listener failed"));
  const presence = createMemoryPresence();
  const blobs = await openDiskBlobs(uploadFolder, now());

  const rateLimiter = config.RATE_LIMITS ? createRateLimiter(config.RATE_LIMITS) : noRateLimiter;
  const tokens = createTokens(secret);
  const sessions = createSessionCache({ tokens, store, bus });
  const isOriginAllowed = createOriginCheck(config);
  const background = createBackgroundTasks(log);
  const gateway = createGateway({
    bus,
    presence,
    sessions,
    epoch: store.epoch,
    now,
    isOriginAllowed: (origin, host) => isOriginAllowed(origin) || isSameHost(origin, host),
    addressOf: createAddressResolver(config),
    newSocketsMax: config.RATE_LIMITS ? NEW_SOCKETS_PER_ADDRESS_MAX : Infinity,
    inBackground: background.add,
    log,
  });
  const delivery = createDelivery({
    bus,
    socketsOf: (actor) => gateway.socketsOf(actor),
    waitForDrain: (audience) => gateway.waitForDrain(audience),
  });
  const jobs = createJobs(now, background.add);
  jobs.every(SAVE_LAST_SEEN_MS, () => sessions.saveLastSeen(now()));
  jobs.every(CLEANUP_MS, () => sweepOrphans(store, blobs, now()));
  jobs.every(CLEANUP_MS, () => deleteExpiredSessions(store, now()));

  const common = { store, presence, delivery, rateLimiter, defaultLanguage: config.DEFAULT_LANGUAGE };
  // Whether people reach the server over https, even if a proxy ends TLS.
  const isHttps = tls !== undefined || (config.PUBLIC_URL?.startsWith("https:") ?? false);
  const passwordHasher = createPasswordHasher(config.PASSWORD_COST);
  const accountStatus = createAccountStatus({
    ...common,
    removeRelationships: createRemoveRelationships(common),
  });
  const chats = {
    privateChats: createPrivateChats({ store, friendships: createFriendshipCache({ store, bus }) }),
    groupChats: createGroupChats({ store, groupCache: createGroupCache({ store, bus }) }),
  };
  const handlers: Handlers = {
    ...createLogin({ ...common, passwordHasher, tokens, sessions }),
    ...createRegister({
      ...common,
      passwordHasher,
      isHttps,
      settings: {
        isOpen: config.OPEN_REGISTRATION,
        isInviteCodeRequired: config.INVITE_CODE_REQUIRED,
        isAvatarRequired: config.AVATAR_REQUIRED,
      },
    }),
    ...createUnregister(accountStatus),
    ...createProfile({ ...common, notifyGroups: createNotifyGroup(common).memberProfileChanged }),
    ...createSettings({ store, isHttps, systemConfig: systemConfigOf(config) }),
    ...createFriends(common),
    ...createFriendRequests(common),
    ...createBlacklist(common),
    ...createGroupQueries(common),
    ...createUpdateGroup(common),
    ...createManageMembers(common),
    ...createGroupRequests(common),
    ...createGroupPreferences(common),
    ...createSendMessage({
      ...common,
      ...chats,
      isMoneyAllowed: config.MONEY_CARDS,
      editSeconds: config.EDIT_SECONDS,
    }),
    ...createRecallMessage({ ...common, ...chats, recallSeconds: config.RECALL_SECONDS }),
    ...createChatHistory(chats),
    ...createReadMessages({ ...common, ...chats, nextTurn: () => nextTurn() }),
    ...createDeleteForMe({ ...common, ...chats }),
    ...createSearchMessages({ ...common, ...chats }),
    ...createPullMessages({ ...common, ...chats, inBackground: background.add }),
    ...createNoticeHandlers(common),
    ...createUploads({
      ...common,
      blobs,
      pictures: createPictures(),
      maxBytes: config.UPLOAD_MAX_MB * MEBIBYTE,
      dailyMaxBytes: config.UPLOAD_DAILY_MB * MEBIBYTE,
    }),
  };

  const http = await createHttpServer({
    handlers,
    sessions,
    blobs,
    log,
    now,
    isReady: () => store.isReady(),
    isOriginAllowed,
    trustProxy: config.TRUST_PROXY,
    tls,
    isHttps,
    webFolder: overrides.webFolder ?? WEB_FOLDER,
    openApi: openApiDocument,
  });
  http.server.on("upgrade", (request, socket, head) => gateway.upgrade(request, socket, head));

  const notices = createNotices({ ...common, now });
  background.add(notices.resume());
  const adminServices: AdminServices = {
    accounts: createAccountAdmin({ ...common, passwordHasher, accountStatus, now }),
    groups: createGroupAdmin({ ...common, now }),
    notices,
    listStats: () => listStats({ store, database, gateway }),
    renewEpoch: undefined,
  };
  const admin = await openAdmin(dataDir, adminServices, log);

  const close = async () => {
    admin?.close();
    await gateway.stop();
    await closeHttp(http);
    background.add(sessions.saveLastSeen(now()));
    await background.settle();
    await bus.close();
    await presence.close();
    await blobs.close();
    await store.close();
    stopLoggingUnreadable();
  };
  try {
    await http.listen({ port: config.PORT, host: config.HOST });
  } catch (error) {
    await close();
    throw listenError(error, config);
  }
  const address = http.server.address();
  const port = typeof address === "object" && address !== null ? address.port : config.PORT;
  const timer = setInterval(() => {
    gateway.sweep();
    jobs.sweep();
  }, JOB_INTERVAL_MS);
  timer.unref();
  return {
    store,
    http,
    gateway,
    jobs,
    timer,
    port,
    close: async () => {
      clearInterval(timer);
      await close();
    },
  };
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

/** Runs one administration command on the store itself. Throws if a server is using the store. */
export async function runWithoutServer(config: Config, command: AdminCommand): Promise<AdminAnswer> {
  const dataDir = dataFolder(config);
  makeFolder(dataDir);
  const database = databasePath(dataDir);
  const store = await openStore({ url: database, onFatal: () => {} });
  try {
    const passwordHasher = createPasswordHasher(config.PASSWORD_COST);
    // Nobody is connected, so nothing is sent.
    const delivery = {
      toUsers: () => {},
      toOwnOthers: () => {},
      toOthersOf: () => {},
      endSessions: () => {},
      invalidateUsers: () => {},
      invalidateGroup: () => {},
    };
    const defaultLanguage = config.DEFAULT_LANGUAGE;
    const common = { store, delivery, presence: createMemoryPresence(), defaultLanguage, now: Date.now };
    const accountStatus = createAccountStatus({
      ...common,
      removeRelationships: createRemoveRelationships(common),
    });
    const admin: AdminServices = {
      accounts: createAccountAdmin({ ...common, passwordHasher, accountStatus }),
      groups: createGroupAdmin(common),
      notices: createNotices(common),
      listStats: () => listStats({ store, database, gateway: undefined }),
      renewEpoch: () => store.write((tx) => tx.renewEpoch()),
    };
    return await runAdminCommand(admin, command);
  } finally {
    await store.close();
  }
}

/** Removes the friends and group memberships of a closed account. */
function createRemoveRelationships(
  deps: Parameters<typeof createDeleteAccountContacts>[0] &
    Parameters<typeof createDeleteAccountMemberships>[0],
): AccountStatusDeps["removeRelationships"] {
  const contacts = createDeleteAccountContacts(deps);
  const groups = createDeleteAccountMemberships(deps);
  return async (tx, userId, now) => {
    const notifications = [
      await contacts.deleteContacts(tx, userId),
      await groups.deleteMemberships(tx, userId, now),
    ];
    return async () => {
      for (const notify of notifications) await notify();
    };
  };
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

function systemConfigOf(config: Config): SystemConfig {
  const fileMax = config.UPLOAD_MAX_MB * MEBIBYTE;
  return {
    webrtc: { maxChannel: config.MAX_CALL_CHANNELS, heldOffer: false, iceServers: [] },
    message: { recallSeconds: config.RECALL_SECONDS, editSeconds: config.EDIT_SECONDS },
    upload: { imageMax: Math.min(IMAGE_MAX_BYTES, fileMax), fileMax },
  };
}

/** Collects work that nobody waits for, so that errors are logged and stopping can wait for it. */
function createBackgroundTasks(log: Logger) {
  const running = new Set<Promise<void>>();
  return {
    add(work: Promise<void>): void {
      const watched = work
        .catch((error: unknown) => log.error({ err: error }, "work in the background failed"))
        .finally(() => running.delete(watched));
      running.add(watched);
    },
    settle: async () => void (await Promise.all(running)),
  };
}

function listenError(error: unknown, config: Config): Error {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === "EADDRINUSE") {
    return new StartError(`Port ${config.PORT} is in use; stop what listens there or set another PORT.`);
  }
  if (code === "EACCES")
    return new StartError(`Port ${config.PORT} may not be used by this account; set another PORT.`);
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND") {
    return new StartError(`HOST ${config.HOST} is no address of this machine.`);
  }
  return error instanceof Error ? error : new Error(String(error));
}
