import type { QueryTerm } from "@parley/protocol/search-text";
import type { ChatKey, ChatMessage } from "../model/state.ts";
import { type RemovedSender, isFromRemovedSender, idsOfRemovedSender } from "./removed-senders.ts";
import { isRecord } from "./key-value-storage.ts";
import type {
  ChatSize,
  Database,
  MessageRecord,
  DatabaseWrite,
  MessageRef,
  OutboxEntry,
  Ports,
  RemovedMessages,
  ChatRecord,
} from "../ports.ts";

/** The open database, written behind. When the browser refuses it, everything goes on in memory. */
export interface LocalDatabase {
  /** False: nothing is kept (refused, full, thrown away). */
  isUsable(): boolean;
  open(name: string): Promise<void>;
  chats(): Promise<ChatRecord[]>;
  outbox(): Promise<OutboxEntry[]>;
  value(key: string): Promise<unknown>;
  messagesBefore(chatKey: ChatKey, beforeId: number, limit: number): Promise<ChatMessage[]>;
  messagesAfter(chatKey: ChatKey, afterId: number, limit: number): Promise<ChatMessage[]>;
  messagesAt(places: readonly MessageRef[]): Promise<(ChatMessage | undefined)[]>;
  messagesWithTerm(term: QueryTerm, chatKey: ChatKey | null): Promise<MessageRef[]>;
  sizes(kept: number): Promise<ChatSize[]>;
  /** What lay there makes no sense: whoever read it asks to load it anew, once. After that this goes on in memory. */
  reportCorruption(reason: string): void;
  onCorruption: () => void;
  /** What messages are found by. */
  searchTermsOf: (message: ChatMessage) => readonly string[];
  /** Adds to the next write. What is added in one call is written in one piece. */
  save(write: DatabaseWrite, repairs?: readonly MessageUpdate[], purges?: readonly RemovedSender[]): void;
  /** What waits to be written of messages and chats is not written: another tab has cleared what lay there. */
  dropPendingMessages(): void;
  /** Writes what waits. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

/** A change of a message that depends on the copy on disk; it is part of the write it was given with. */
export interface MessageUpdate {
  readonly chatKey: ChatKey;
  readonly id: number;
  /** The message as it shall stand; undefined: nothing to write. */
  apply(known: ChatMessage | undefined): ChatMessage | undefined;
}

const WRITE_DELAY_MS = 100;

export function createLocalDatabase(ports: Ports, onRefused: () => void): LocalDatabase {
  let database: Database | null = null;
  let pending = emptyWrite();
  let cancelTimer: (() => void) | null = null;
  let writing: Promise<void> = Promise.resolve();
  let isCorrupted = false;
  /** Writes under way that read first, and those behind them. */
  let readers = 0;
  /** Rises when a database is asked for and when one is closed: what opens late is nobody's. */
  let openNumber = 0;

  function fallBackToMemory(reason: unknown): void {
    if (database === null) return;
    ports.log.warn("storage refused; going on in memory", { reason: String(reason) });
    closeDatabase();
  }

  function closeDatabase(): void {
    database?.close();
    database = null;
    pending = emptyWrite();
    onRefused();
  }

  async function read<T>(work: (database: Database) => Promise<T>, otherwise: T): Promise<T> {
    const openedDatabase = database;
    await flush();
    if (openedDatabase === null || openedDatabase !== database) return otherwise;
    try {
      const found = await work(openedDatabase);
      // Whose it is has left meanwhile.
      return openedDatabase === database ? found : otherwise;
    } catch (error) {
      if (openedDatabase === database) fallBackToMemory(error);
      return otherwise;
    }
  }

  /** Rows of messages; broken ones are none, and none of their neighbours is believed either. */
  async function readMessages<T>(work: (database: Database) => Promise<T[]>): Promise<T[]> {
    const found = await read(work, []);
    if (found.every((row) => row === undefined || isMessage(row))) return found;
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
        await target.write(writes.take(localDatabase.searchTermsOf));
      } catch (error) {
        // Another person's database may be open by now; it has done nothing wrong.
        if (target === database) fallBackToMemory(error);
      }
    };
    // The database itself keeps the order of writes; nothing waits here, since a page that goes away gets no second turn. Only a write
    // that reads first must not be overtaken.
    if (writes.readsFirst || readers > 0) {
      readers++;
      writing = writing.then(write).finally(() => readers--);
    } else {
      writing = Promise.all([writing, write()]).then(() => undefined);
    }
    return writing;
  }

  const localDatabase: LocalDatabase = {
    searchTermsOf: () => [],
    onCorruption: () => undefined,
    reportCorruption(reason) {
      if (database === null) return;
      if (isCorrupted) return fallBackToMemory(reason);
      isCorrupted = true;
      ports.log.warn("storage makes no sense", { reason });
      localDatabase.onCorruption();
    },
    isUsable: () => database !== null,
    async open(name) {
      const startNumber = ++openNumber;
      try {
        const opened = await ports.storage.open(name);
        if (startNumber !== openNumber) return opened.close();
        database = opened;
        isCorrupted = false;
        opened.onLost(() => {
          if (database === opened) closeDatabase();
        });
      } catch (error) {
        if (startNumber !== openNumber) return;
        ports.log.warn("storage cannot be opened; going on in memory", { reason: String(error) });
        onRefused();
      }
    },
    chats: () => read((db) => db.chats(), []),
    outbox: () => read((db) => db.outbox(), []),
    value: (key) => read((db) => db.value(key), undefined),
    messagesBefore: (key, beforeId, limit) => readMessages((db) => db.messagesBefore(key, beforeId, limit)),
    messagesAfter: (key, afterId, limit) => readMessages((db) => db.messagesAfter(key, afterId, limit)),
    messagesAt: (places) => readMessages((db) => db.messagesAt(places)),
    messagesWithTerm: (term, chatKey) => read((db) => db.messagesWithTerm(term, chatKey), []),
    sizes: (kept) => read((db) => db.sizes(kept), []),
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
      openNumber++;
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
  /** What it writes depends on what lies there. */
  readonly readsFirst: boolean;
  add(write: DatabaseWrite, repairs?: readonly MessageUpdate[], purges?: readonly RemovedSender[]): void;
  /** All but the outbox. */
  dropMessages(): void;
  prepare(database: Database): Promise<void>;
  take(termsOf: LocalDatabase["searchTermsOf"]): DatabaseWrite;
}

/** Several writes as one; of two for the same thing the later one counts. */
function emptyWrite(): PendingWrite {
  const chats = new Map<ChatKey, ChatRecord>();
  /** In the order they came; of two copies the later one counts. */
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
        updates = updates.filter(
          (messageUpdate) => !isRemoved(removed, messageUpdate.chatKey, messageUpdate.id),
        );
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
      const unknown = clearMessages
        ? []
        : updates.filter(
            ({ chatKey, id }) =>
              !written.has(messageKey(chatKey, id)) &&
              !removedMessages.some((removed) => isRemoved(removed, chatKey, id)),
          );
      const found = unknown.length === 0 ? [] : await database.messagesAt(unknown);
      unknown.forEach(({ chatKey, id }, i) => {
        const message = found[i];
        if (message !== undefined) written.set(messageKey(chatKey, id), message);
      });
      for (const { chatKey, id, apply } of updates) {
        const storedKey = messageKey(chatKey, id);
        const message = apply(written.get(storedKey));
        // Of what goes in this very write nothing comes back.
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

function isMessage(row: unknown): boolean {
  return isRecord(row) && typeof row["id"] === "number" && typeof row["content"] === "string";
}
