import type { Kysely } from "kysely";
import { type PassFailpoint, noFailpoints } from "../../ports/failpoints.ts";
import { type Metrics, noMetrics } from "../../ports/metrics.ts";
import type { Reads, Store, Tx } from "../../ports/store.ts";
import { accountReads, accountWrites } from "./account-repository.ts";
import { acquaintanceReads, acquaintanceWrites } from "./acquaintance-repository.ts";
import { adminReads, adminWrites } from "./admin-repository.ts";
import { MemberChanges, groupAppender, memberChangeReads } from "./group-appender.ts";
import { privateAppender } from "./private-appender.ts";
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
import type { Database, SearchTable, Servers, WriteEngine } from "./engine.ts";
import type { ExpectedInstallation } from "./installation.ts";
import { groupMessageChangeWrites } from "./group-message-changes.ts";
import { groupMessageReads } from "./group-message-repository.ts";
import { groupPullReads } from "./group-pull.ts";
import { groupMemberReads, groupMemberWrites } from "./group-member-repository.ts";
import { groupReads, groupWrites } from "./group-repository.ts";
import { groupRequestReads, groupRequestWrites } from "./group-request-repository.ts";
import { privateMessageChangeWrites } from "./private-message-changes.ts";
import { privateMessageReads } from "./private-message-repository.ts";
import { firstChatReads } from "./first-chats.ts";
import { fileReads, fileWrites } from "./file-repository.ts";
import { messageFileReads, messageFileWrites } from "./message-files.ts";
import { noticeReads, noticeWrites } from "./notice-repository.ts";
import { privatePullReads } from "./private-pull.ts";
import { reportReads, reportWrites } from "./report-repository.ts";
import { GROUP_MESSAGES, type IndexedMessages, PRIVATE_MESSAGES, searchBackfill } from "./search-backfill.ts";
import { SearchIndexer } from "./search-indexer.ts";
import { groupSearch, privateSearch } from "./message-search.ts";
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
  const appenders = {
    private: privateAppender(engine, writing, chats.openChat),
    group: groupAppender(engine, writing, memberChanges),
  };
  const searchParts = {
    private: searchPartsOf("privateSearch", PRIVATE_MESSAGES),
    group: searchPartsOf("groupSearch", GROUP_MESSAGES),
  };
  const tx = transaction(writing, engine, { ...appenders, memberChanges }, chats, {
    ...privateMessageChangeWrites(writing, searchParts.private.backfill),
    ...groupMessageChangeWrites(writing, searchParts.group.backfill),
  });
  const writer = new Writer(engine, Object.values(appenders), tx, onFatal, failpoint, metrics);
  function searchPartsOf(table: SearchTable, messages: IndexedMessages) {
    const index = database.searchIndex(table);
    return { messages, index, backfill: searchBackfill(writing, index, messages) };
  }
  const indexerOf = (kind: keyof typeof searchParts) =>
    new SearchIndexer({ ...searchParts[kind], reading, writer, pollMs: searchPollMs });
  const indexers = { private: indexerOf("private"), group: indexerOf("group") };
  const searchSource = (kind: keyof typeof searchParts) => ({
    index: searchParts[kind].index,
    catchUp: () => indexers[kind].catchUp(),
  });
  /** Of the check that runs. Nobody limits how often the server is asked whether it is ready. */
  let readiness: Promise<boolean> | undefined;
  return {
    ...reads(reading, engine),
    ...groupPullReads(reading),
    ...privateSearch(reading, searchSource("private")),
    ...groupSearch(reading, searchSource("group")),
    epoch,
    installation: database.installation,
    write: (work) => writer.write(work),
    appendPrivate: (message) => writer.append(appenders.private, message),
    appendGroup: (message) => writer.append(appenders.group, message),
    async memberChanges(groupId) {
      if (!engine.hasOtherWriters) return memberChanges.committedCount(groupId);
      return (await changesOf([groupId])).get(groupId) ?? 0;
    },
    stats: () => ({ ...writer.stats }),
    waitingWrites: () => writer.waiting,
    clockAheadMs: () => engine.clockAheadMs(),
    bytes: () => database.bytes(),
    async indexMessages() {
      for (const indexer of Object.values(indexers)) await indexer.catchUp(Infinity);
    },
    isReady: () => (readiness ??= isReady(writer, writing).finally(() => (readiness = undefined))),
    async close() {
      await Promise.all([writer.close(), indexers.private.stop(), indexers.group.stop()]);
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
    ...groupMessageReads(db),
    ...chatReads(db),
    ...privateMessageReads(db),
    ...privatePullReads(db),
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

interface Appenders {
  private: ReturnType<typeof privateAppender>;
  group: ReturnType<typeof groupAppender>;
  memberChanges: MemberChanges;
}

type MessageChanges = ReturnType<typeof privateMessageChangeWrites> &
  ReturnType<typeof groupMessageChangeWrites>;

function transaction(
  db: Kysely<Tables>,
  engine: WriteEngine,
  { memberChanges, ...appenders }: Appenders,
  chats: ReturnType<typeof chatWrites>,
  messageChanges: MessageChanges,
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
    ...messageChanges,
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
    appendPrivate: (message) => appenders.private.appendOne(message),
    appendGroup: (message) => appenders.group.appendOne(message),
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
