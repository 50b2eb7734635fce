import { statSync } from "node:fs";
import { dirname, join } from "node:path";
import type Database from "better-sqlite3";
import { Kysely, SqliteDialect } from "kysely";
import type { Reads, Store, Tx } from "../../ports/store.ts";
import { accountReads, accountWrites } from "./accounts.ts";
import { MemberChanges, groupAppender } from "./append-group.ts";
import { privateAppender } from "./append-private.ts";
import { chatReads, chatWrites } from "./chats.ts";
import { contactReads, contactWrites } from "./contacts.ts";
import { countReads } from "./counts.ts";
import { epochWrites, findEpoch, writeProbe } from "./epoch.ts";
import { StoreLockedError, StoreUnusableError } from "./errors.ts";
import { groupLifeWrites } from "./group-life.ts";
import { groupMessageReads } from "./group-messages.ts";
import { groupPulls } from "./group-pull.ts";
import { groupReads, groupWrites } from "./groups.ts";
import { hideWrites } from "./hide.ts";
import { lifeWrites } from "./life.ts";
import { isLogDamaged } from "./log-check.ts";
import { messageReads } from "./messages.ts";
import { fileReads, fileWrites } from "./files.ts";
import { migrate } from "./migrations/migrate.ts";
import { noticeReads, noticeWrites } from "./notices.ts";
import { pullReads } from "./pull.ts";
import { GROUP_MESSAGES, type IndexedMessages, PRIVATE_MESSAGES, searchFiller } from "./search-filler.ts";
import type { SearchIndex } from "./search-index.ts";
import { SearchKeeper } from "./search-keeper.ts";
import { groupSearch, privateSearch } from "./search.ts";
import { isFull, sqliteEngine } from "./sqlite-engine.ts";
import { sqliteSearch, sqliteSearchTable } from "./sqlite-search.ts";
import { erasing, openFile, takeLock, withPreparedStatements } from "./sqlite.ts";
import { systemReads, systemWrites } from "./system.ts";
import type { Tables } from "./tables.ts";
import { Writer, type WriterStats } from "./writer.ts";

export interface StoreOptions {
  /** Path of the SQLite file; its folder must exist. */
  url: string;
  /**
   * Told once when the disk failed a commit: the process should end, its view of the database is no longer
   * sure.
   */
  onFatal(error: Error): void;
  /** How often the index of words looks for new messages. */
  searchLookMs?: number;
}

const SEARCH_LOOK_MS = 500;
/** A larger database would take seconds to look through, and is left to the doctor. */
const CHECKED_BYTES_MAX = 64 * 1_048_576;
const DAMAGED =
  "the file is damaged or not a Parley database; restore a backup or move it away (`npm run admin -- doctor` says what is wrong)";
const LOG_DAMAGED =
  "its log (the file that ends in -wal) is damaged, and what was sent behind the damage would be lost; restore a backup";

export interface OpenedStore extends Store {
  /** Commits and appended messages since opening. */
  stats(): WriterStats;
}

/** Opens the store, making or migrating the database. Throws `StoreLockedError` or `StoreUnusableError`. */
export async function openStore({
  url,
  onFatal,
  searchLookMs = SEARCH_LOOK_MS,
}: StoreOptions): Promise<OpenedStore> {
  const lock = lockFolder(dirname(url));
  const opened: Database.Database[] = [];
  try {
    // Before anything is opened: what refuses to start leaves all as it was.
    if (isLogDamaged(`${url}-wal`)) throw new Error(LOG_DAMAGED);
    const writing = openFile(url);
    opened.push(writing);
    foldLog(writing);
    refuseDamage(writing, url);
    const writerDb = kysely(writing);
    // One transaction around all migrations: a process killed half-way leaves the database as it was.
    writing.exec("begin immediate");
    await migrate(writerDb, "integer", sqliteSearchTable);
    const epoch = await findEpoch(writerDb);
    writing.exec("commit");
    // Reads have a connection of their own, which sees only what is committed.
    const reading = openFile(url);
    opened.push(reading);
    const readerDb = kysely(reading);

    const engine = sqliteEngine(writing);
    const words = {
      private: indexed(PRIVATE_MESSAGES, sqliteSearch("privateSearch", writing, reading)),
      group: indexed(GROUP_MESSAGES, sqliteSearch("groupSearch", writing, reading)),
    };
    const lifeParts = ({ filler }: ReturnType<typeof indexed>) => ({
      onChanged: filler.update,
      erasing: erasing(writing),
    });
    const chats = chatWrites(writerDb);
    const memberChanges = new MemberChanges();
    const appenders = {
      private: privateAppender(engine, writerDb, chats.openChat),
      group: groupAppender(engine, writerDb, memberChanges),
    };
    const tx = transaction(writerDb, { ...appenders, memberChanges }, chats, {
      private: lifeWrites(writerDb, "private", lifeParts(words.private)),
      group: groupLifeWrites(writerDb, lifeParts(words.group)),
    });
    const writer = new Writer(engine, Object.values(appenders), tx, onFatal);
    function indexed(messages: IndexedMessages, index: SearchIndex) {
      return { messages, index, filler: searchFiller(writerDb, index, messages) };
    }
    const keep = (kind: ReturnType<typeof indexed>) =>
      new SearchKeeper({ ...kind, reading: readerDb, writer, lookMs: searchLookMs });
    const keepers = { private: keep(words.private), group: keep(words.group) };
    const searched = (kind: keyof typeof words) => ({
      index: words[kind].index,
      catchUp: () => keepers[kind].catchUp(),
    });
    return {
      ...reads(readerDb),
      ...groupPulls(readerDb),
      ...privateSearch(readerDb, searched("private")),
      ...groupSearch(readerDb, searched("group")),
      epoch,
      write: (work) => writer.write(work),
      appendPrivate: (message) => writer.append(appenders.private, message),
      appendGroup: (message) => writer.append(appenders.group, message),
      memberChanges: async (groupId) => memberChanges.committed(groupId),
      stats: () => ({ ...writer.stats }),
      isReady: () => isReady(writer, writerDb),
      async close() {
        await Promise.all([writer.close(), keepers.private.stop(), keepers.group.stop()]);
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
 * Brings what an earlier process left in the log into the database. One that ended because the disk failed may have left what looks stored
 * and is not: the system takes for written what it could not write. Here it is written again.
 */
function foldLog(db: Database.Database): void {
  try {
    db.pragma("wal_checkpoint(truncate)");
  } catch (error) {
    // Who finds no room can be read from all the same.
    if (!isFull(error)) throw error;
  }
}

/** A page that is broken would only be met by whoever needs it, and by then more would have been written. */
function refuseDamage(db: Database.Database, url: string): void {
  if (statSync(url).size > CHECKED_BYTES_MAX) return;
  const found: unknown = db.pragma("quick_check(1)", { simple: true });
  if (found !== "ok") throw new Error(DAMAGED);
}

function lockFolder(folder: string): Database.Database {
  const path = join(folder, "parley.lock");
  try {
    const lock = takeLock(path);
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
  if (isFull(error)) return "the disk is full; make room and start again";
  return error instanceof Error ? error.message : String(error);
}

function kysely(db: Database.Database): Kysely<Tables> {
  return new Kysely<Tables>({ dialect: new SqliteDialect({ database: withPreparedStatements(db) }) });
}

function reads(db: Kysely<Tables>): Reads {
  return {
    ...accountReads(db),
    ...contactReads(db),
    ...groupReads(db),
    ...groupMessageReads(db),
    ...chatReads(db),
    ...messageReads(db),
    ...pullReads(db),
    ...systemReads(db),
    ...noticeReads(db),
    ...fileReads(db),
    ...countReads(db),
  };
}

interface Appenders {
  private: ReturnType<typeof privateAppender>;
  group: ReturnType<typeof groupAppender>;
  memberChanges: MemberChanges;
}

interface Lives {
  private: ReturnType<typeof lifeWrites>;
  group: ReturnType<typeof groupLifeWrites>;
}

function transaction(
  db: Kysely<Tables>,
  { memberChanges, ...appenders }: Appenders,
  chats: ReturnType<typeof chatWrites>,
  lives: Lives,
): Tx {
  return {
    ...reads(db),
    ...accountWrites(db),
    ...contactWrites(db),
    ...groupWrites(db, memberChanges),
    ...lives.group,
    ...systemWrites(db),
    ...hideWrites(db),
    ...noticeWrites(db),
    ...fileWrites(db),
    ...epochWrites(db),
    raisePrivateRead: chats.raisePrivateRead,
    editPrivate: lives.private.edit,
    recallPrivate: lives.private.recall,
    appendPrivate: (message) => appenders.private.appendOne(message),
    appendGroup: (message) => appenders.group.appendOne(message),
  };
}

async function isReady(writer: Writer, db: Kysely<Tables>): Promise<boolean> {
  if (!writer.isOpen) return false;
  try {
    // Only a disk that was full is written to: whoever asks may do so often.
    if (writer.isFull) {
      await writer.write(() => writeProbe(db));
      writer.foundRoom();
    } else await writer.write(async (tx) => tx.findUser(0));
    return true;
  } catch {
    return false;
  }
}
