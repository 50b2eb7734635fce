import type { QueryTerm } from "@parley/protocol/search-text";
import type { ChatKey, ChatMessage, OutboxEntry } from "../model/state.ts";
import type { MessageUpdate } from "./pending-write.ts";
import type { RemovedSender } from "./removed-senders.ts";
import { createDatabaseConnection, type DatabaseConnectionDeps } from "./database-connection.ts";
import { isRecord } from "./key-value-storage.ts";
import type { StoredValues, ValuePrefix, ValuesToSave } from "./stored-values.ts";
import type { ChatSize, Database, DatabaseWrite, MessageRef, StoredFile, ChatRecord } from "../ports.ts";

/** The open database, with deferred writes. When the browser refuses it, the client continues in memory. */
export interface LocalDatabase {
  /** Whether it is open or is being opened. False: nothing is saved, because the browser refused, filled or deleted the database. */
  isUsable(): boolean;
  open(name: string): Promise<void>;
  chats(): Promise<ChatRecord[]>;
  outbox(): Promise<OutboxEntry[]>;
  value(key: keyof StoredValues): Promise<unknown>;
  /** The values whose keys begin with `prefix`. */
  valuesWith(prefix: ValuePrefix): Promise<unknown[]>;
  messagesBefore(chatKey: ChatKey, beforeId: number, limit: number): Promise<ChatMessage[]>;
  messagesAfter(chatKey: ChatKey, afterId: number, limit: number): Promise<ChatMessage[]>;
  messagesAt(refs: readonly MessageRef[]): Promise<(ChatMessage | undefined)[]>;
  messagesWithTerm(term: QueryTerm, chatKey: ChatKey | null): Promise<MessageRef[]>;
  sizes(retainedCount: number): Promise<ChatSize[]>;
  file(id: string): Promise<StoredFile | undefined>;
  fileIds(): Promise<string[]>;
  /** Resolves with whether it is stored, after all that was saved before. A file that does not fit leaves the database usable. */
  saveFile(file: StoredFile): Promise<boolean>;
  removeFiles(ids: readonly string[]): Promise<void>;
  /** Stored data is malformed. The first report calls `onCorruption`; after a second one the client continues in memory. */
  reportCorruption(reason: string): void;
  /** Adds to the next write. What is added in one call is written in one transaction. */
  save(
    write: LocalWrite,
    updates?: readonly MessageUpdate[],
    removedSenders?: readonly RemovedSender[],
  ): void;
  /** Drops pending writes of messages and chats, because another tab has cleared the database. */
  dropPendingMessages(): void;
  /** Lets writes wait until the returned function is called, so that they do not replace what is still to be read. */
  pauseWrites(): () => void;
  /** Writes everything that is pending. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

/** A write whose values are those that the client knows. */
export type LocalWrite = Omit<DatabaseWrite, "values"> & { values?: ValuesToSave };

/** What the local database needs, and where it reports to. */
export interface LocalDatabaseDeps extends DatabaseConnectionDeps {
  /** Called at the first report of malformed data. */
  onCorruption(): void;
}

/** Creates the local database of one session; it is usable from `open` to `close`. */
export function createLocalDatabase(deps: LocalDatabaseDeps): LocalDatabase {
  const { ports } = deps;
  const connection = createDatabaseConnection(deps);
  const { read, writes } = connection;
  let isCorrupted = false;

  /** Reads messages; if one of them is malformed, none of them is used. */
  async function readMessages<T extends ChatMessage | undefined>(
    work: (database: Database) => Promise<T[]>,
  ): Promise<T[]> {
    const rows = await read(work, []);
    if (rows.every((row) => row === undefined || isMessage(row))) return rows;
    localDatabase.reportCorruption("a message");
    return [];
  }

  const localDatabase: LocalDatabase = {
    reportCorruption(reason) {
      if (connection.current() === null) return;
      if (isCorrupted) return connection.fallBackToMemory(reason);
      isCorrupted = true;
      ports.log.warn("stored data is malformed", { reason });
      deps.onCorruption();
    },
    isUsable: connection.isUsable,
    open: connection.open,
    chats: () => read((db) => db.chats(), []),
    outbox: () => read((db) => db.outbox(), []),
    value: (key) => read((db) => db.value(key), undefined),
    valuesWith: (prefix) => read((db) => db.valuesWith(prefix), []),
    messagesBefore: (key, beforeId, limit) => readMessages((db) => db.messagesBefore(key, beforeId, limit)),
    messagesAfter: (key, afterId, limit) => readMessages((db) => db.messagesAfter(key, afterId, limit)),
    messagesAt: (refs) => readMessages((db) => db.messagesAt(refs)),
    messagesWithTerm: (term, chatKey) => read((db) => db.messagesWithTerm(term, chatKey), []),
    sizes: (retainedCount) => read((db) => db.sizes(retainedCount), []),
    file: (id) => read((db) => db.file(id), undefined),
    fileIds: () => read((db) => db.fileIds(), []),
    async saveFile(file) {
      await writes.flush();
      try {
        await connection.current()?.putFile(file);
        return connection.current() !== null;
      } catch (error) {
        ports.log.warn("a file cannot be stored; it stays in memory", { reason: String(error) });
        return false;
      }
    },
    removeFiles: (ids) => read((db) => db.removeFiles(ids), undefined),
    save(write, updates, removedSenders) {
      if (connection.isUsable()) writes.add(write, updates, removedSenders);
    },
    dropPendingMessages: writes.dropMessages,
    pauseWrites: writes.pause,
    flush: writes.flush,
    close: connection.close,
  };
  return localDatabase;
}

function isMessage(row: unknown): boolean {
  return isRecord(row) && typeof row["id"] === "number" && typeof row["content"] === "string";
}
