import type { QueryTerm } from "@parley/protocol/search-text";
import type { ChatKey, ChatMessage, OutboxEntry } from "../model/state.ts";
import { type RemovedSender, isFromRemovedSender, idsOfRemovedSender } from "./removed-senders.ts";
import { isRecord } from "./key-value-storage.ts";
import type { StoredValues, ValuesToSave } from "./stored-values.ts";
import type {
  ChatSize,
  Database,
  MessageRecord,
  DatabaseWrite,
  MessageRef,
  Ports,
  StoredFile,
  RemovedMessages,
  ChatRecord,
} from "../ports.ts";

/** The open database, with deferred writes. When the browser refuses it, the client continues in memory. */
export interface LocalDatabase {
  /** False: nothing is saved, because the browser refused, filled or deleted the database. */
  isUsable(): boolean;
  open(name: string): Promise<void>;
  chats(): Promise<ChatRecord[]>;
  outbox(): Promise<OutboxEntry[]>;
  value(key: keyof StoredValues): Promise<unknown>;
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
  /** Writes everything that is pending. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

/** A write whose values are those that the client knows. */
export type LocalWrite = Omit<DatabaseWrite, "values"> & { values?: ValuesToSave };

/** A change of a message that depends on its stored copy. It is part of the write that it was added with. */
export interface MessageUpdate {
  readonly chatKey: ChatKey;
  readonly id: number;
  /** Returns the changed message; undefined: nothing to write. */
  apply(stored: ChatMessage | undefined): ChatMessage | undefined;
}

const WRITE_DELAY_MS = 100;

/** What the local database needs, and where it reports to. */
export interface LocalDatabaseDeps {
  ports: Pick<Ports, "clock" | "storage" | "log">;
  /** Yields the search terms that a message is indexed by. */
  searchTermsOf(message: ChatMessage): readonly string[];
  /** Called when the database stops being usable. */
  onRefused(): void;
  /** Called at the first report of malformed data. */
  onCorruption(): void;
}

/** Creates the local database of one session; it is usable from `open` to `close`. */
export function createLocalDatabase(deps: LocalDatabaseDeps): LocalDatabase {
  const { ports } = deps;
  let database: Database | null = null;
  let pending = emptyWrite();
  let cancelTimer: (() => void) | null = null;
  let writing: Promise<void> = Promise.resolve();
  let isCorrupted = false;
  /** How many queued writes read before they write, or wait for such a write. */
  let readers = 0;
  let isClosed = false;

  function fallBackToMemory(reason: unknown): void {
    if (database === null) return;
    ports.log.warn("storage refused; continuing in memory", { reason: String(reason) });
    closeDatabase();
  }

  function closeDatabase(): void {
    database?.close();
    database = null;
    pending = emptyWrite();
    deps.onRefused();
  }

  async function read<T>(work: (database: Database) => Promise<T>, otherwise: T): Promise<T> {
    const openedDatabase = database;
    await flush();
    if (openedDatabase === null || openedDatabase !== database) return otherwise;
    try {
      const result = await work(openedDatabase);
      // If the user has logged out meanwhile, the result is not theirs to use.
      return openedDatabase === database ? result : otherwise;
    } catch (error) {
      if (openedDatabase === database) fallBackToMemory(error);
      return otherwise;
    }
  }

  /** Reads messages; if one of them is malformed, none of them is used. */
  async function readMessages<T extends ChatMessage | undefined>(
    work: (database: Database) => Promise<T[]>,
  ): Promise<T[]> {
    const rows = await read(work, []);
    if (rows.every((row) => row === undefined || isMessage(row))) return rows.map(withNewFields);
    localDatabase.reportCorruption("a message");
    return [];
  }

  function flush(): Promise<void> {
    cancelTimer?.();
    cancelTimer = null;
    if (pending.isEmpty) return writing;
    const writes = pending;
    pending = emptyWrite();
    const target = database;
    if (target === null) return writing;
    const write = async () => {
      try {
        if (writes.readsFirst) await writes.prepare(target);
        await target.write(writes.take(deps.searchTermsOf));
      } catch (error) {
        if (target === database) fallBackToMemory(error);
      }
    };
    // The database itself keeps writes in order. Start a write at once, because a page that is being closed gets no second turn. Only a
    // write that reads first must not be overtaken.
    if (writes.readsFirst || readers > 0) {
      readers++;
      writing = writing.then(write).finally(() => readers--);
    } else {
      writing = Promise.all([writing, write()]).then(() => undefined);
    }
    return writing;
  }

  const localDatabase: LocalDatabase = {
    reportCorruption(reason) {
      if (database === null) return;
      if (isCorrupted) return fallBackToMemory(reason);
      isCorrupted = true;
      ports.log.warn("stored data is malformed", { reason });
      deps.onCorruption();
    },
    isUsable: () => database !== null,
    async open(name) {
      try {
        const opened = await ports.storage.open(name);
        // A database that opens after the end of its session is not used.
        if (isClosed) return opened.close();
        database = opened;
        opened.onLost(() => {
          if (database === opened) closeDatabase();
        });
      } catch (error) {
        if (isClosed) return;
        ports.log.warn("storage cannot be opened; continuing in memory", { reason: String(error) });
        deps.onRefused();
      }
    },
    chats: () => read((db) => db.chats(), []),
    outbox: () => read((db) => db.outbox(), []),
    value: (key) => read((db) => db.value(key), undefined),
    messagesBefore: (key, beforeId, limit) => readMessages((db) => db.messagesBefore(key, beforeId, limit)),
    messagesAfter: (key, afterId, limit) => readMessages((db) => db.messagesAfter(key, afterId, limit)),
    messagesAt: (refs) => readMessages((db) => db.messagesAt(refs)),
    messagesWithTerm: (term, chatKey) => read((db) => db.messagesWithTerm(term, chatKey), []),
    sizes: (retainedCount) => read((db) => db.sizes(retainedCount), []),
    file: (id) => read((db) => db.file(id), undefined),
    fileIds: () => read((db) => db.fileIds(), []),
    async saveFile(file) {
      await flush();
      try {
        await database?.putFile(file);
        return database !== null;
      } catch (error) {
        ports.log.warn("a file cannot be stored; it stays in memory", { reason: String(error) });
        return false;
      }
    },
    removeFiles: (ids) => read((db) => db.removeFiles(ids), undefined),
    save(write, updates, removedSenders) {
      if (database === null) return;
      pending.add(write, updates, removedSenders);
      cancelTimer ??= ports.clock.after(WRITE_DELAY_MS, () => {
        cancelTimer = null;
        void flush();
      });
    },
    dropPendingMessages: () => pending.dropMessages(),
    flush,
    async close() {
      isClosed = true;
      const closing = database;
      const written = flush();
      database = null;
      await written;
      closing?.close();
    },
  };
  return localDatabase;
}

interface PendingWrite {
  readonly isEmpty: boolean;
  /** Whether the write depends on stored data. */
  readonly readsFirst: boolean;
  add(
    write: DatabaseWrite,
    updates?: readonly MessageUpdate[],
    removedSenders?: readonly RemovedSender[],
  ): void;
  /** Drops everything but the outbox. */
  dropMessages(): void;
  prepare(database: Database): Promise<void>;
  take(termsOf: LocalDatabaseDeps["searchTermsOf"]): DatabaseWrite;
}

/** Merges several writes into one; the later of two writes of the same record wins. */
function emptyWrite(): PendingWrite {
  const chats = new Map<ChatKey, ChatRecord>();
  /** In the order of arrival; the later of two copies of a message wins. */
  let messages: MessageRecord[] = [];
  const outbox = new Map<string, OutboxEntry>();
  const removedOutbox = new Set<string>();
  let updates: MessageUpdate[] = [];
  let removedSenders: RemovedSender[] = [];
  let removedMessages: RemovedMessages[] = [];
  let values: Record<string, unknown> = {};
  let clearMessages = false;
  let isEmpty = true;
  const dropMessages = () => {
    chats.clear();
    messages = [];
    values = {};
    updates = [];
    removedSenders = [];
    removedMessages = [];
  };
  return {
    dropMessages,
    get isEmpty() {
      return isEmpty;
    },
    get readsFirst() {
      return updates.length > 0 || removedSenders.length > 0;
    },
    add(write, newUpdates = [], newRemovedSenders = []) {
      isEmpty = false;
      if (write.clearMessages) {
        clearMessages = true;
        dropMessages();
      }
      for (const removed of write.removedMessages ?? []) {
        removedMessages.push(removed);
        messages = messages.filter((row) => !isRemoved(removed, row.chatKey, row.message.id));
        updates = updates.filter((update) => !isRemoved(removed, update.chatKey, update.id));
      }
      removedSenders.push(...newRemovedSenders);
      messages = messages.filter(
        ({ chatKey, message }) => !isFromRemovedSender(newRemovedSenders, chatKey, message),
      );
      for (const chat of write.chats ?? []) chats.set(chat.key, chat);
      for (const row of write.messages ?? []) messages.push(row);
      updates.push(...newUpdates);
      for (const entry of write.outbox ?? []) {
        outbox.set(entry.tmpId, entry);
        removedOutbox.delete(entry.tmpId);
      }
      for (const tmpId of write.removedOutbox ?? []) {
        outbox.delete(tmpId);
        removedOutbox.add(tmpId);
      }
      values = { ...values, ...write.values };
    },
    async prepare(database) {
      if (!clearMessages)
        for (const removedSender of removedSenders)
          removedMessages.push({
            chatKey: removedSender.chatKey,
            ids: await idsOfRemovedSender(database, removedSender),
          });
      const written = new Map(messages.map((row) => [messageKey(row.chatKey, row.message.id), row.message]));
      const unresolved = clearMessages
        ? []
        : updates.filter(
            ({ chatKey, id }) =>
              !written.has(messageKey(chatKey, id)) &&
              !removedMessages.some((removed) => isRemoved(removed, chatKey, id)),
          );
      const storedMessages = unresolved.length === 0 ? [] : await database.messagesAt(unresolved);
      unresolved.forEach(({ chatKey, id }, i) => {
        const message = storedMessages[i];
        if (message !== undefined) written.set(messageKey(chatKey, id), message);
      });
      for (const { chatKey, id, apply } of updates) {
        const storedKey = messageKey(chatKey, id);
        const message = apply(written.get(storedKey));
        // A message that this write removes must not be written back.
        if (message === undefined || isFromRemovedSender(removedSenders, chatKey, message)) continue;
        written.set(storedKey, message);
        messages.push({ chatKey, message });
      }
    },
    take: (termsOf) => ({
      ...(clearMessages && { clearMessages }),
      chats: [...chats.values()],
      removedMessages,
      messages: messages.map(({ chatKey, message }) => ({ chatKey, message, terms: () => termsOf(message) })),
      outbox: [...outbox.values()],
      removedOutbox: [...removedOutbox],
      values,
    }),
  };
}

function isRemoved(removed: RemovedMessages, chatKey: ChatKey, id: number | null): boolean {
  if (removed.chatKey !== chatKey || id === null) return false;
  return "ids" in removed ? removed.ids.includes(id) : id <= removed.upTo;
}

function messageKey(chatKey: ChatKey, id: number | null): string {
  return `${chatKey} ${id}`;
}

/** A message that an older version has stored lacks the fields that are newer. */
function withNewFields<T extends ChatMessage | undefined>(message: T): T {
  return message === undefined || message.upload === null ? message : { ...message, upload: null };
}

function isMessage(row: unknown): boolean {
  return isRecord(row) && typeof row["id"] === "number" && typeof row["content"] === "string";
}
