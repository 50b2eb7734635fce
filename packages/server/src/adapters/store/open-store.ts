import { statSync } from "node:fs";
import { dirname, join } from "node:path";
import type Database from "better-sqlite3";
import { Kysely, SqliteDialect } from "kysely";
import { type PassFailpoint, noFailpoints } from "../../ports/failpoints.ts";
import type { Reads, Store, Tx } from "../../ports/store.ts";
import { accountReads, accountWrites } from "./account-repository.ts";
import { MemberChanges, groupAppender } from "./group-appender.ts";
import { privateAppender } from "./private-appender.ts";
import { changeReads, changeWrites } from "./change-repository.ts";
import { callReads, callWrites } from "./call-repository.ts";
import { chatReads, chatWrites } from "./chat-repository.ts";
import { contactReads, contactWrites } from "./contact-repository.ts";
import { sessionReads, sessionWrites } from "./session-repository.ts";
import { statisticsReads } from "./statistics.ts";
import { epochWrites, findEpoch, writeTestValue } from "./epoch.ts";
import { StoreLockedError, StoreUnusableError } from "./store-errors.ts";
import { groupMessageChangeWrites } from "./group-message-changes.ts";
import { groupMessageReads } from "./group-message-repository.ts";
import { groupPullReads } from "./group-pull.ts";
import { groupMemberReads, groupMemberWrites } from "./group-member-repository.ts";
import { groupReads, groupWrites } from "./group-repository.ts";
import { groupRequestReads, groupRequestWrites } from "./group-request-repository.ts";
import { isWalDamaged } from "./wal-check.ts";
import { privateMessageChangeWrites } from "./private-message-changes.ts";
import { privateMessageReads } from "./private-message-repository.ts";
import { fileReads, fileWrites } from "./file-repository.ts";
import { messageFileReads, messageFileWrites } from "./message-files.ts";
import { migrate } from "./migrations/migrate.ts";
import { noticeReads, noticeWrites } from "./notice-repository.ts";
import { privatePullReads } from "./private-pull.ts";
import { GROUP_MESSAGES, type IndexedMessages, PRIVATE_MESSAGES, searchBackfill } from "./search-backfill.ts";
import type { SearchIndex } from "./search-index.ts";
import { SearchIndexer } from "./search-indexer.ts";
import { groupSearch, privateSearch } from "./message-search.ts";
import { isDiskFull, sqliteEngine } from "./sqlite-engine.ts";
import { sqliteSearchIndex, SQLITE_SEARCH_TABLES } from "./sqlite-search.ts";
import { openConnection, acquireLock, withPreparedStatements } from "./sqlite-connection.ts";
import { systemMessageReads, systemMessageWrites } from "./system-message-repository.ts";
import type { Tables } from "./tables.ts";
import { webPushReads, webPushWrites } from "./web-push-repository.ts";
import { Writer, type WriterStats } from "./writer.ts";

/** How to open the store. */
export interface StoreOptions {
  /** Path of the SQLite file; its folder must exist. */
  url: string;
  /**
   * Called once when the disk failed during a commit. The process should end, because its view of the
   * database may be wrong.
   */
  onFatal(error: Error): void;
  /** How often the search index looks for new messages. */
  searchPollMs?: number;
  /** Called at each failpoint. */
  failpoint?: PassFailpoint;
}

const SEARCH_POLL_MS = 500;
/** A larger database would take seconds to check; only `npm run admin -- doctor` checks it. */
const CHECKED_BYTES_MAX = 64 * 1_048_576;
const DAMAGED =
  "the file is damaged or not a Parley database; restore a backup or move it away (`npm run admin -- doctor` says what is wrong)";
const WAL_DAMAGED =
  "its log (the file that ends in -wal) is damaged, and what was sent behind the damage would be lost; restore a backup";

/** The store with its statistics. */
export interface OpenedStore extends Store {
  /** Commits and appended messages since opening. */
  stats(): WriterStats;
  /** Resolves when every message is in the search index, which otherwise follows in the background. Blocks nobody else for long. */
  indexMessages(): Promise<void>;
}

/** Opens the store, and creates or migrates the database. Throws `StoreLockedError` or `StoreUnusableError`. */
export async function openStore({
  url,
  onFatal,
  searchPollMs = SEARCH_POLL_MS,
  failpoint = noFailpoints,
}: StoreOptions): Promise<OpenedStore> {
  const lock = acquireFolderLock(dirname(url));
  const opened: Database.Database[] = [];
  try {
    // Checked before anything is opened, so that a refused start changes nothing.
    if (isWalDamaged(`${url}-wal`)) throw new Error(WAL_DAMAGED);
    const writing = openConnection(url);
    opened.push(writing);
    checkpointWal(writing);
    requireUndamaged(writing, url);
    const writerDb = kysely(writing);
    // One transaction around all migrations: a process killed half-way leaves the database as it was.
    writing.exec("begin immediate");
    await migrate(writerDb, "integer", SQLITE_SEARCH_TABLES);
    const epoch = await findEpoch(writerDb);
    writing.exec("commit");
    // Reads use their own connection, which sees only committed data.
    const reading = openConnection(url);
    opened.push(reading);
    const readerDb = kysely(reading);

    const engine = sqliteEngine(writing);
    const searchIndex = {
      private: withBackfill(PRIVATE_MESSAGES, sqliteSearchIndex("privateSearch", writing, reading)),
      group: withBackfill(GROUP_MESSAGES, sqliteSearchIndex("groupSearch", writing, reading)),
    };
    const chats = chatWrites(writerDb);
    const memberChanges = new MemberChanges();
    const appenders = {
      private: privateAppender(engine, writerDb, chats.openChat),
      group: groupAppender(engine, writerDb, memberChanges),
    };
    const tx = transaction(writerDb, { ...appenders, memberChanges }, chats, {
      ...privateMessageChangeWrites(writerDb, searchIndex.private.backfill),
      ...groupMessageChangeWrites(writerDb, searchIndex.group.backfill),
    });
    const writer = new Writer(engine, Object.values(appenders), tx, onFatal, failpoint);
    function withBackfill(messages: IndexedMessages, index: SearchIndex) {
      return { messages, index, backfill: searchBackfill(writerDb, index, messages) };
    }
    const createIndexer = (searchParts: ReturnType<typeof withBackfill>) =>
      new SearchIndexer({ ...searchParts, reading: readerDb, writer, pollMs: searchPollMs });
    const indexers = { private: createIndexer(searchIndex.private), group: createIndexer(searchIndex.group) };
    const searchSource = (kind: keyof typeof searchIndex) => ({
      index: searchIndex[kind].index,
      catchUp: () => indexers[kind].catchUp(),
    });
    return {
      ...reads(readerDb),
      ...groupPullReads(readerDb),
      ...privateSearch(readerDb, searchSource("private")),
      ...groupSearch(readerDb, searchSource("group")),
      epoch,
      write: (work) => writer.write(work),
      appendPrivate: (message) => writer.append(appenders.private, message),
      appendGroup: (message) => writer.append(appenders.group, message),
      memberChanges: async (groupId) => memberChanges.committedCount(groupId),
      stats: () => ({ ...writer.stats }),
      async indexMessages() {
        for (const indexer of Object.values(indexers)) await indexer.catchUp(Infinity);
      },
      isReady: () => isReady(writer, writerDb),
      async close() {
        await Promise.all([writer.close(), indexers.private.stop(), indexers.group.stop()]);
        reading.close();
        writing.close();
        lock.close();
      },
    };
  } catch (error) {
    for (const db of opened) db.close();
    lock.close();
    throw new StoreUnusableError(url, reasonOf(error), error);
  }
}

/**
 * Writes what an earlier process left in the write-ahead log into the database. If that process ended because the disk failed, the operating
 * system may report pages as written that never reached the disk; here they are written again.
 */
function checkpointWal(db: Database.Database): void {
  try {
    db.pragma("wal_checkpoint(truncate)");
  } catch (error) {
    // A store on a full disk can still be read.
    if (!isDiskFull(error)) throw error;
  }
}

/** Checks the pages at the start: a damaged page would otherwise be noticed only when it is read, after more was written. */
function requireUndamaged(db: Database.Database, url: string): void {
  if (statSync(url).size > CHECKED_BYTES_MAX) return;
  const result: unknown = db.pragma("quick_check(1)", { simple: true });
  if (result !== "ok") throw new Error(DAMAGED);
}

function acquireFolderLock(folder: string): Database.Database {
  const path = join(folder, "parley.lock");
  try {
    const lock = acquireLock(path);
    if (lock !== undefined) return lock;
  } catch (error) {
    throw new StoreUnusableError(path, reasonOf(error), error);
  }
  throw new StoreLockedError(folder);
}

function reasonOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code.startsWith("SQLITE_NOTADB") || code.startsWith("SQLITE_CORRUPT")) {
    return DAMAGED;
  }
  if (isDiskFull(error)) return "the disk is full; make room and start again";
  return error instanceof Error ? error.message : String(error);
}

function kysely(db: Database.Database): Kysely<Tables> {
  return new Kysely<Tables>({ dialect: new SqliteDialect({ database: withPreparedStatements(db) }) });
}

function reads(db: Kysely<Tables>): Reads {
  return {
    ...accountReads(db),
    ...sessionReads(db),
    ...contactReads(db),
    ...groupReads(db),
    ...groupMemberReads(db),
    ...groupRequestReads(db),
    ...groupMessageReads(db),
    ...chatReads(db),
    ...privateMessageReads(db),
    ...privatePullReads(db),
    ...systemMessageReads(db),
    ...changeReads(db),
    ...noticeReads(db),
    ...fileReads(db),
    ...messageFileReads(db),
    ...webPushReads(db),
    ...callReads(db),
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
  { memberChanges, ...appenders }: Appenders,
  chats: ReturnType<typeof chatWrites>,
  messageChanges: MessageChanges,
): Tx {
  return {
    ...reads(db),
    ...accountWrites(db),
    ...sessionWrites(db),
    ...contactWrites(db),
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
