/** Composition root: the only file that names adapters. */
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { Server } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { FastifyInstance } from "fastify";
import type { DestinationStream, Logger } from "pino";
import type { SystemConfig } from "@parley/protocol/entities";
import { IMAGE_MAX_BYTES } from "@parley/protocol/limits";
import { openApiDocument } from "@parley/protocol/openapi";
import { openDiskBlobs } from "./adapters/blobs/disk.ts";
import { createMemoryBus } from "./adapters/bus/memory.ts";
import { createMemoryPresence } from "./adapters/presence/memory.ts";
import { StoreLockedError, StoreUnusableError } from "./adapters/store/errors.ts";
import { type OpenedStore, openStore } from "./adapters/store/open.ts";
import { UNREADABLE, type Unreadable } from "./adapters/store/unreadable.ts";
import {
  type AdminAnswer,
  type AdminCommand,
  type Administration,
  runAdminCommand,
} from "./admin-commands.ts";
import { serveAdmin } from "./admin-socket.ts";
import { type Config, ConfigError, dataFolder } from "./config.ts";
import { createDelivery } from "./delivery.ts";
import {
  addressRule,
  createLog,
  findSecret,
  isSameHost,
  makeFolder,
  originRule,
  readTls,
  reasonOf,
  urlOf,
} from "./environment.ts";
import { databasePath, filesFolder } from "./folders.ts";
import { type Gateway, createGateway } from "./gateway/gateway.ts";
import { createLimits, noLimits } from "./http/limits.ts";
import { createHttp } from "./http/server.ts";
import { type Jobs, createJobs } from "./jobs.ts";
import { createAccountAdmin } from "./modules/account/admin.ts";
import { type ClosingDeps, createClosing, createUnregister } from "./modules/account/closing.ts";
import { createLogin } from "./modules/account/login.ts";
import { createPasswords } from "./modules/account/passwords.ts";
import { createProfile } from "./modules/account/profile.ts";
import { createRegister } from "./modules/account/register.ts";
import { createSessions, forgetSessions } from "./modules/account/sessions.ts";
import { createSettings } from "./modules/account/settings.ts";
import { createTokens } from "./modules/account/tokens.ts";
import { createBlacklist } from "./modules/contacts/blacklist.ts";
import { createFarewell } from "./modules/contacts/farewell.ts";
import { createFriends } from "./modules/contacts/friends.ts";
import { createRequests } from "./modules/contacts/requests.ts";
import { createGroupAdmin } from "./modules/groups/admin.ts";
import { createGroupChanging } from "./modules/groups/changing.ts";
import { createGroupFarewell } from "./modules/groups/farewell.ts";
import { createGroupMembers } from "./modules/groups/members.ts";
import { createGroupNotes } from "./modules/groups/own.ts";
import { createGroupReading } from "./modules/groups/reading.ts";
import { createGroupRequests } from "./modules/groups/requests.ts";
import { createGroupTelling } from "./modules/groups/telling.ts";
import { createGroupRead } from "./modules/messages/group-read.ts";
import { createGroupRecall } from "./modules/messages/group-recall.ts";
import { createGroupSend } from "./modules/messages/group-send.ts";
import { createHide } from "./modules/messages/hide.ts";
import { createPull } from "./modules/messages/pull.ts";
import { createRead } from "./modules/messages/read.ts";
import { createRecall } from "./modules/messages/recall.ts";
import { createRooms } from "./modules/messages/rooms.ts";
import { createSearch } from "./modules/messages/search.ts";
import { createSend } from "./modules/messages/send.ts";
import { createStandings } from "./modules/messages/standings.ts";
import { createNoticeHandlers, createNotices } from "./modules/notices/notices.ts";
import { removeIdleFiles } from "./modules/uploads/cleaning.ts";
import { createPictures } from "./modules/uploads/pictures.ts";
import { createUploads } from "./modules/uploads/uploads.ts";
import type { Handlers } from "./ports/call.ts";
import { listStats } from "./stats.ts";

const MEBIBYTE = 1_048_576;
const SWEEP_MS = 1_000;
/** How often the sessions' last signs of life are written down. */
const KEEP_SEEN_MS = 60_000;
/** How often files that nobody took and sessions that are over are looked for. */
const CLEAN_MS = 3_600_000;
const NEW_SOCKETS_OF_ADDRESS_MAX = 2_000;
/** What requests under way get to finish in when the server stops. */
const FINISH_REQUESTS_MS = 2_000;
const WEB_FOLDER = fileURLToPath(new URL("../../web/dist", import.meta.url));

export interface Overrides {
  /** Epoch milliseconds. */
  now?(): number;
  /** Where the log goes; standard output when left out. */
  logTo?: DestinationStream;
  /** The disk failed a commit, or the like: the process should end. */
  onFatal?(error: Error): void;
  webFolder?: string;
}

export interface App {
  /** Opens the store and listens. Throws one-sentence errors for what the person who starts it can mend. */
  start(): Promise<void>;
  /** Finishes what is under way and closes everything. */
  stop(): Promise<void>;
  /** What people open, such as http://localhost:8080; after `start`. */
  readonly url: string;
  readonly port: number;
  /** Does what is due by the clock; runs every second by itself. */
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

/** Why the server does not start, in one sentence for the person who starts it. */
class StartError extends Error {}

/** Whether a start failed for a reason that one sentence tells. */
export function isForPeople(error: unknown): error is Error {
  const kinds = [ConfigError, StartError, StoreLockedError, StoreUnusableError];
  return kinds.some((kind) => error instanceof kind);
}

export function createApp(config: Config, overrides: Overrides = {}): App {
  const log = createLog(config, overrides.logTo);
  let running: Running | undefined;
  const live = (): Running => {
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
      return urlOf(config, live().port);
    },
    get port() {
      return live().port;
    },
    get store() {
      return live().store;
    },
    sweep() {
      live().gateway.sweep();
      live().jobs.sweep();
    },
  };
}

async function run(config: Config, overrides: Overrides, log: Logger): Promise<Running> {
  const now = overrides.now ?? Date.now;
  const dataDir = dataFolder(config);
  const files = filesFolder(dataDir);
  makeFolder(dataDir);
  makeFolder(files);
  const tls = readTls(config);
  const secret = config.SECRET ?? findSecret(dataDir);
  const onFatal =
    overrides.onFatal ?? ((error: Error) => log.fatal({ err: error }, "the store can no longer be trusted"));

  const database = databasePath(dataDir);
  const store = await openStore({ url: database, onFatal });
  const stopListening = logUnreadable(log);
  const bus = createMemoryBus((error) => log.error({ err: error }, "a listener failed"));
  const presence = createMemoryPresence();
  const blobs = await openDiskBlobs(files, now());

  const limits = config.RATE_LIMITS ? createLimits(config.RATE_LIMITS) : noLimits;
  const tokens = createTokens(secret);
  const sessions = createSessions({ tokens, store, bus });
  const isOriginAllowed = originRule(config);
  const background = createBackground(log);
  const gateway = createGateway({
    bus,
    presence,
    sessions,
    epoch: store.epoch,
    now,
    isOriginAllowed: (origin, host) => isOriginAllowed(origin) || isSameHost(origin, host),
    addressOf: addressRule(config),
    newSocketsMax: config.RATE_LIMITS ? NEW_SOCKETS_OF_ADDRESS_MAX : Infinity,
    inBackground: background.add,
    log,
  });
  const delivery = createDelivery({
    bus,
    socketsOf: (actor) => gateway.socketsOf(actor),
    hasRoom: (audience) => gateway.hasRoom(audience),
  });
  const jobs = createJobs(now, background.add);
  jobs.every(KEEP_SEEN_MS, () => sessions.keepSeen(now()));
  jobs.every(CLEAN_MS, () => removeIdleFiles(store, blobs, now()));
  jobs.every(CLEAN_MS, () => forgetSessions(store, now()));

  const common = { store, presence, delivery, limits, defaultLanguage: config.DEFAULT_LANGUAGE };
  // People come by https, whatever the connection to this process is.
  const isHttps = tls !== undefined || (config.PUBLIC_URL?.startsWith("https:") ?? false);
  const passwords = createPasswords(config.PASSWORD_COST);
  const closing = createClosing({ ...common, leaveOthers: farewells(common) });
  const rooms = createRooms({ store, bus });
  const handlers: Handlers = {
    ...createLogin({ ...common, passwords, tokens, sessions }),
    ...createRegister({
      ...common,
      passwords,
      isHttps,
      settings: {
        isOpen: config.OPEN_REGISTRATION,
        isInviteCodeRequired: config.INVITE_CODE_REQUIRED,
        isAvatarRequired: config.AVATAR_REQUIRED,
      },
    }),
    ...createUnregister(closing),
    ...createProfile({ ...common, showInGroups: createGroupTelling(common).changedPerson }),
    ...createSettings({ store, isHttps, systemConfig: systemConfigOf(config) }),
    ...createFriends(common),
    ...createRequests(common),
    ...createBlacklist(common),
    ...createGroupReading(common),
    ...createGroupChanging(common),
    ...createGroupMembers(common),
    ...createGroupRequests(common),
    ...createGroupNotes(common),
    ...createSend({
      ...common,
      standings: createStandings({ store, bus }),
      isMoneyAllowed: config.MONEY_CARDS,
      editSeconds: config.EDIT_SECONDS,
    }),
    ...createRecall({ ...common, recallSeconds: config.RECALL_SECONDS }),
    ...createGroupSend({
      ...common,
      rooms,
      isMoneyAllowed: config.MONEY_CARDS,
      editSeconds: config.EDIT_SECONDS,
    }),
    ...createGroupRecall({ ...common, rooms, recallSeconds: config.RECALL_SECONDS }),
    ...createGroupRead({ ...common, nextTurn: () => nextTurn() }),
    ...createHide(common),
    ...createSearch(common),
    ...createPull({ ...common, inBackground: background.add }),
    ...createRead(common),
    ...createNoticeHandlers(common),
    ...createUploads({
      ...common,
      blobs,
      pictures: createPictures(),
      maxBytes: config.UPLOAD_MAX_MB * MEBIBYTE,
      dailyMaxBytes: config.UPLOAD_DAILY_MB * MEBIBYTE,
    }),
  };

  const http = await createHttp({
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
  background.add(notices.finish());
  const administration: Administration = {
    accounts: createAccountAdmin({ ...common, passwords, closing, now }),
    groups: createGroupAdmin({ ...common, now }),
    notices,
    listStats: () => listStats({ store, database, gateway }),
    renewEpoch: undefined,
  };
  const admin = await openAdmin(dataDir, administration, log);

  const close = async () => {
    admin?.close();
    await gateway.stop();
    await closeHttp(http);
    background.add(sessions.keepSeen(now()));
    await background.settle();
    await bus.close();
    await presence.close();
    await blobs.close();
    await store.close();
    stopListening();
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
  }, SWEEP_MS);
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

/** Once for each row, however many ask for it. Answers how to end that. */
function logUnreadable(log: Logger): () => void {
  const told = new Set<string>();
  const tell = (message: unknown) => {
    const { table, id, error } = message as Unreadable;
    const place = `${table} ${id}`;
    if (told.has(place)) return;
    told.add(place);
    log.error({ err: error, table, id }, "a row cannot be read");
  };
  subscribe(UNREADABLE, tell);
  return () => void unsubscribe(UNREADABLE, tell);
}

/** A server that cannot be administered while it runs serves people all the same. */
async function openAdmin(dataDir: string, admin: Administration, log: Logger): Promise<Server | undefined> {
  try {
    return await serveAdmin(dataDir, admin);
  } catch (error) {
    log.warn({ reason: reasonOf(error) }, "no administration while running: its socket cannot be opened");
    return undefined;
  }
}

/** Runs one command of administration on the store itself. Throws when a server holds the store. */
export async function runWithoutServer(config: Config, command: AdminCommand): Promise<AdminAnswer> {
  const dataDir = dataFolder(config);
  makeFolder(dataDir);
  const database = databasePath(dataDir);
  const store = await openStore({ url: database, onFatal: () => {} });
  try {
    const passwords = createPasswords(config.PASSWORD_COST);
    // Nobody is connected, so there is nobody to tell.
    const delivery = {
      toUsers: () => {},
      toOwnOthers: () => {},
      toOthersOf: () => {},
      endSessions: () => {},
      changed: () => {},
      groupChanged: () => {},
    };
    const defaultLanguage = config.DEFAULT_LANGUAGE;
    const common = { store, delivery, presence: createMemoryPresence(), defaultLanguage, now: Date.now };
    const closing = createClosing({ ...common, leaveOthers: farewells(common) });
    const admin: Administration = {
      accounts: createAccountAdmin({ ...common, passwords, closing }),
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

/** What a person who goes for good leaves: friends, then groups. */
function farewells(
  deps: Parameters<typeof createFarewell>[0] & Parameters<typeof createGroupFarewell>[0],
): ClosingDeps["leaveOthers"] {
  const contacts = createFarewell(deps);
  const groups = createGroupFarewell(deps);
  return async (tx, userId, now) => {
    const tell = [await contacts.leave(tx, userId), await groups.leave(tx, userId, now)];
    return async () => {
      for (const each of tell) await each();
    };
  };
}

/** Lets requests under way finish; a connection on which nothing comes holds nobody up. */
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

function createBackground(log: Logger) {
  const underWay = new Set<Promise<void>>();
  return {
    add(work: Promise<void>): void {
      const watched = work
        .catch((error: unknown) => log.error({ err: error }, "work in the background failed"))
        .finally(() => underWay.delete(watched));
      underWay.add(watched);
    },
    settle: async () => void (await Promise.all(underWay)),
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
