import type { Kysely } from "kysely";
import { type PassFailpoint, noFailpoints } from "../../ports/failpoints.ts";
import { type Metrics, noMetrics } from "../../ports/metrics.ts";
import type { Reads, Store, Tx } from "../../ports/store.ts";
import { accountReads, accountWrites } from "./account-repository.ts";
import { acquaintanceReads, acquaintanceWrites } from "./acquaintance-repository.ts";
import { adminReads, adminWrites } from "./admin-repository.ts";
import { Appender } from "./appender.ts";
import { MemberChanges, memberChangeReads } from "./member-changes.ts";
import { changeReads, changeWrites } from "./change-repository.ts";
import { callReads, callWrites } from "./call-repository.ts";
import { jobLeaseReads, jobLeaseWrites } from "./job-lease-repository.ts";
import { messageTimeReads, messageTimeWrites } from "./message-times.ts";
import { missedPushReads } from "./missed-push-repository.ts";
import { chatReads, chatWrites } from "./chat-repository.ts";
import { contactReads, contactWrites } from "./contact-repository.ts";
import { sessionReads, sessionWrites } from "./session-repository.ts";
import { statisticsReads } from "./statistics.ts";
import { epochWrites, writeTestValue } from "./epoch.ts";
import type { Database, Servers, WriteEngine } from "./engine.ts";
import type { ExpectedInstallation } from "./installation.ts";
import { groupReadWrites } from "./group-receipts.ts";
import { messageChangeWrites } from "./message-changes.ts";
import { chatPrefReads, chatPrefWrites } from "./chat-prefs.ts";
import { messageExtraReads, messageExtraWrites } from "./message-extras.ts";
import { messageReads } from "./message-repository.ts";
import { groupMessageReads } from "./group-message-repository.ts";
import { groupPullReads } from "./group-pull.ts";
import { groupMemberReads, groupMemberWrites } from "./group-member-repository.ts";
import { groupReads, groupWrites } from "./group-repository.ts";
import { groupRequestReads, groupRequestWrites } from "./group-request-repository.ts";
import { privateMessageReads } from "./private-message-repository.ts";
import { firstChatReads } from "./first-chats.ts";
import { fileReads, fileWrites } from "./file-repository.ts";
import { messageFileReads, messageFileWrites } from "./message-files.ts";
import { noticeReads, noticeWrites } from "./notice-repository.ts";
import { reportReads, reportWrites } from "./report-repository.ts";
import { savedMessageReads, savedMessageWrites } from "./saved-messages.ts";
import { searchBackfill } from "./search-backfill.ts";
import { SearchIndexer } from "./search-indexer.ts";
import { messageSearch } from "./message-search.ts";
import { serverStateReads, serverStateWrites } from "./server-state-repository.ts";
import { openSqlite } from "./sqlite-database.ts";
import { isPostgresUrl } from "./store-url.ts";
import { systemMessageReads, systemMessageWrites } from "./system-message-repository.ts";
import type { Tables } from "./tables.ts";
import { webPushReads, webPushWrites } from "./web-push-repository.ts";
import { Writer, type WriterStats } from "./writer.ts";

/** How to open the store. */
export interface StoreOptions {
  /** The URL of a PostgreSQL database (`postgres://...`), or the path of a SQLite file, whose folder must exist. */
  url: string;
  /**
   * Called once when the disk failed during a commit. The process should end, because its view of the
   * database may be wrong.
   */
  onFatal(error: Error): void;
  /**
   * Which servers may use a PostgreSQL database at the same time: this one only, all that say "several", or "none", for what is no server.
   * Undefined: this is no server, and does not mind others.
   */
  servers?: Servers;
  /** Opens a SQLite database also if it was moved; its epoch has to be renewed. */
  mayBeMoved?: boolean;
  /** Refuses a database that does not belong to the data folder; undefined: any is taken. */
  expected?: ExpectedInstallation | undefined;
  /** How often the search index looks for new messages. */
  searchPollMs?: number;
  /** Called at each failpoint. */
  failpoint?: PassFailpoint;
  /** The time of this machine; nodes whose clocks differ go by that of PostgreSQL. */
  machineClock?: (() => number) | undefined;
  /** Counts commits. */
  metrics?: Pick<Metrics, "clock" | "committed">;
}

const SEARCH_POLL_MS = 500;

/** The store with its statistics. */
export interface OpenedStore extends Store {
  /** Commits and appended messages since opening. */
  stats(): WriterStats;
  /** The number of writes that wait for the next commit. */
  waitingWrites(): number;
  /** The id of the installation to which the database belongs. */
  readonly installation: string;
  /** How far the clock of this machine was ahead of that of the database at the last transaction; 0 if both agree. */
  clockAheadMs(): number;
  /** The size of the database. */
  bytes(): Promise<number>;
  /** Resolves when every message is in the search index, which otherwise follows in the background. Blocks nobody else for long. */
  indexMessages(): Promise<void>;
}

/** Opens the store, and creates or migrates the database. Throws `StoreLockedError` or `StoreUnusableError`. */
export async function openStore({
  url,
  onFatal,
  servers,
  mayBeMoved = false,
  searchPollMs = SEARCH_POLL_MS,
  failpoint = noFailpoints,
  machineClock,
  expected,
  metrics = noMetrics,
}: StoreOptions): Promise<OpenedStore> {
  const database = isPostgresUrl(url)
    ? await openPostgresDatabase(url, servers, onFatal, { machineClock, expected })
    : await openSqlite(url, mayBeMoved, expected);
  const { engine, writing, reading, epoch } = database;
  const chats = chatWrites(writing);
  const memberChanges = new MemberChanges();
  const changesOf = memberChangeReads(reading);
  const appender = new Appender(engine, writing, memberChanges, chats.openChat);
  const index = database.searchIndex;
  const backfill = searchBackfill(writing, index);
  const tx = transaction(writing, engine, { appender, memberChanges, chats, backfill });
  const writer = new Writer(engine, appender, tx, onFatal, failpoint, metrics);
  const indexer = new SearchIndexer({ index, backfill, reading, writer, pollMs: searchPollMs });
  /** Of the check that runs. Nobody limits how often the server is asked whether it is ready. */
  let readiness: Promise<boolean> | undefined;
  return {
    ...reads(reading, engine),
    ...groupPullReads(reading),
    ...messageSearch(reading, { index, catchUp: () => indexer.catchUp() }),
    epoch,
    installation: database.installation,
    write: (work) => writer.write(work),
    appendPrivate: (message) => writer.append(message),
    appendGroup: (message) => writer.append(message),
    async memberChanges(groupId) {
      if (!engine.hasOtherWriters) return memberChanges.committedCount(groupId);
      return (await changesOf([groupId])).get(groupId) ?? 0;
    },
    stats: () => ({ ...writer.stats }),
    waitingWrites: () => writer.waiting,
    clockAheadMs: () => engine.clockAheadMs(),
    bytes: () => database.bytes(),
    indexMessages: () => indexer.catchUp(Infinity),
    isReady: () => (readiness ??= isReady(writer, writing).finally(() => (readiness = undefined))),
    async close() {
      await Promise.all([writer.close(), indexer.stop()]);
      await database.close();
    },
  };
}

async function openPostgresDatabase(
  url: string,
  servers: Servers | undefined,
  onLockLost: (error: Error) => void,
  options: Pick<StoreOptions, "machineClock" | "expected">,
): Promise<Database> {
  // A server on SQLite does not load the driver.
  const { openPostgres } = await import("./postgres-database.ts");
  return openPostgres(url, servers, onLockLost, options);
}

function reads(db: Kysely<Tables>, engine: WriteEngine): Reads {
  const accounts = accountReads(db);
  const groups = groupReads(db);
  return {
    ...accounts,
    ...sessionReads(db),
    ...contactReads(db),
    ...acquaintanceReads(db),
    ...groups,
    ...adminReads(db, { ...accounts, ...groups }),
    ...groupMemberReads(db),
    ...groupRequestReads(db),
    ...messageReads(db),
    ...messageExtraReads(db),
    ...chatPrefReads(db),
    ...savedMessageReads(db),
    ...groupMessageReads(db),
    ...chatReads(db),
    ...privateMessageReads(db),
    ...systemMessageReads(db),
    ...changeReads(db),
    ...firstChatReads(db),
    ...noticeReads(db),
    ...fileReads(db),
    ...messageFileReads(db),
    ...webPushReads(db),
    ...callReads(db),
    ...jobLeaseReads(db),
    ...messageTimeReads(db, engine),
    ...missedPushReads(db),
    ...reportReads(db),
    ...serverStateReads(db),
    ...statisticsReads(db),
  };
}

/** What transactions share with the rest of the store. */
interface TransactionParts {
  appender: Appender;
  memberChanges: MemberChanges;
  chats: ReturnType<typeof chatWrites>;
  backfill: ReturnType<typeof searchBackfill>;
}

function transaction(
  db: Kysely<Tables>,
  engine: WriteEngine,
  { appender, memberChanges, chats, backfill }: TransactionParts,
): Tx {
  return {
    ...reads(db, engine),
    ...accountWrites(db),
    ...adminWrites(db),
    ...sessionWrites(db),
    ...contactWrites(db),
    ...acquaintanceWrites(db),
    ...groupWrites(db),
    ...groupMemberWrites(db, memberChanges),
    ...groupRequestWrites(db),
    ...messageChangeWrites(db, backfill),
    ...messageExtraWrites(db),
    ...chatPrefWrites(db),
    ...savedMessageWrites(db),
    ...groupReadWrites(db),
    ...systemMessageWrites(db),
    ...changeWrites(db),
    ...noticeWrites(db),
    ...fileWrites(db),
    ...messageFileWrites(db),
    ...webPushWrites(db),
    ...callWrites(db),
    ...jobLeaseWrites(db),
    ...messageTimeWrites(db, engine),
    ...reportWrites(db),
    ...serverStateWrites(db),
    ...epochWrites(db),
    raisePrivateRead: chats.raisePrivateRead,
    appendPrivate: (message) => appender.appendOne(message),
    appendGroup: (message) => appender.appendOne(message),
  };
}

async function isReady(writer: Writer, db: Kysely<Tables>): Promise<boolean> {
  if (!writer.isOpen) return false;
  try {
    // Readiness is asked for often, so a value is written only if the disk was full before.
    if (writer.isFull) {
      await writer.write(() => writeTestValue(db));
      writer.diskFreed();
    } else await writer.write(async (tx) => tx.findUser(0));
    return true;
  } catch {
    return false;
  }
}
