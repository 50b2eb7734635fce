import type { QueryTerm } from "@parley/protocol/search-text";
import type { ChatKey, ChatMessage } from "../model/state.ts";
import { type DiskPurge, isPurged, purgedIds } from "./disk-purge.ts";
import { isRecord } from "./keep.ts";
import type {
  ChatSize,
  Database,
  DiskMessage,
  DiskWrite,
  MessagePlace,
  OutboxEntry,
  Ports,
  RemovedMessages,
  StoredChat,
} from "./ports.ts";

/** The open database, written behind. When the browser refuses it, everything goes on in memory. */
export interface Disk {
  /** False: nothing is kept (refused, full, thrown away). */
  isUsable(): boolean;
  open(name: string): Promise<void>;
  chats(): Promise<StoredChat[]>;
  outbox(): Promise<OutboxEntry[]>;
  value(key: string): Promise<unknown>;
  messagesBefore(chatKey: ChatKey, beforeId: number, limit: number): Promise<ChatMessage[]>;
  messagesAfter(chatKey: ChatKey, afterId: number, limit: number): Promise<ChatMessage[]>;
  messagesAt(places: readonly MessagePlace[]): Promise<(ChatMessage | undefined)[]>;
  placesOf(term: QueryTerm, chatKey: ChatKey | null): Promise<MessagePlace[]>;
  sizes(kept: number): Promise<ChatSize[]>;
  /** What lay there makes no sense: whoever read it asks to load it anew, once. After that this goes on in memory. */
  distrust(reason: string): void;
  onDistrust: () => void;
  /** What messages are found by. */
  termsOf: (message: ChatMessage) => readonly string[];
  /** Adds to the next write. What is added in one call is written in one piece. */
  keep(write: DiskWrite, repairs?: readonly Repair[], purges?: readonly DiskPurge[]): void;
  /** What waits to be written of messages and chats is not written: another tab has cleared what lay there. */
  forgetMessages(): void;
  /** Writes what waits. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

/** A change of a message that depends on the copy on disk; it is part of the write it was given with. */
export interface Repair {
  readonly chatKey: ChatKey;
  readonly id: number;
  /** The message as it shall stand; undefined: nothing to write. */
  apply(known: ChatMessage | undefined): ChatMessage | undefined;
}

const WRITE_DELAY_MS = 100;

export function createDisk(ports: Ports, onRefused: () => void): Disk {
  let database: Database | null = null;
  let pending = emptyWrite();
  let cancelTimer: (() => void) | null = null;
  let writing: Promise<void> = Promise.resolve();
  let isDistrusted = false;
  /** Writes under way that read first, and those behind them. */
  let readers = 0;
  /** Rises when a database is asked for and when one is closed: what opens late is nobody's. */
  let opening = 0;

  function refuse(reason: unknown): void {
    if (database === null) return;
    ports.log.warn("storage refused; going on in memory", { reason: String(reason) });
    lose();
  }

  function lose(): void {
    database?.close();
    database = null;
    pending = emptyWrite();
    onRefused();
  }

  async function read<T>(work: (database: Database) => Promise<T>, otherwise: T): Promise<T> {
    const asked = database;
    await flush();
    if (asked === null || asked !== database) return otherwise;
    try {
      const found = await work(asked);
      // Whose it is has left meanwhile.
      return asked === database ? found : otherwise;
    } catch (error) {
      if (asked === database) refuse(error);
      return otherwise;
    }
  }

  /** Rows of messages; broken ones are none, and none of their neighbours is believed either. */
  async function readMessages<T>(work: (database: Database) => Promise<T[]>): Promise<T[]> {
    const found = await read(work, []);
    if (found.every((row) => row === undefined || isMessage(row))) return found;
    disk.distrust("a message");
    return [];
  }

  function flush(): Promise<void> {
    cancelTimer?.();
    cancelTimer = null;
    if (pending.isEmpty) return writing;
    const due = pending;
    pending = emptyWrite();
    const target = database;
    if (target === null) return writing;
    const write = async () => {
      try {
        if (due.readsFirst) await due.prepare(target);
        await target.write(due.take(disk.termsOf));
      } catch (error) {
        // Another person's database may be open by now; it has done nothing wrong.
        if (target === database) refuse(error);
      }
    };
    // The database itself keeps the order of writes; nothing waits here, since a page that goes away gets no second turn. Only a write
    // that reads first must not be overtaken.
    if (due.readsFirst || readers > 0) {
      readers++;
      writing = writing.then(write).finally(() => readers--);
    } else {
      writing = Promise.all([writing, write()]).then(() => undefined);
    }
    return writing;
  }

  const disk: Disk = {
    termsOf: () => [],
    onDistrust: () => undefined,
    distrust(reason) {
      if (database === null) return;
      if (isDistrusted) return refuse(reason);
      isDistrusted = true;
      ports.log.warn("storage makes no sense", { reason });
      disk.onDistrust();
    },
    isUsable: () => database !== null,
    async open(name) {
      const mine = ++opening;
      try {
        const opened = await ports.storage.open(name);
        if (mine !== opening) return opened.close();
        database = opened;
        isDistrusted = false;
        opened.onLost(() => {
          if (database === opened) lose();
        });
      } catch (error) {
        if (mine !== opening) return;
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
    placesOf: (term, chatKey) => read((db) => db.placesOf(term, chatKey), []),
    sizes: (kept) => read((db) => db.sizes(kept), []),
    keep(write, repairs, purges) {
      if (database === null) return;
      pending.add(write, repairs, purges);
      cancelTimer ??= ports.clock.after(WRITE_DELAY_MS, () => {
        cancelTimer = null;
        void flush();
      });
    },
    forgetMessages: () => pending.forgetMessages(),
    flush,
    async close() {
      opening++;
      const closing = database;
      const written = flush();
      database = null;
      await written;
      closing?.close();
    },
  };
  return disk;
}

interface PendingWrite {
  readonly isEmpty: boolean;
  /** What it writes depends on what lies there. */
  readonly readsFirst: boolean;
  add(write: DiskWrite, repairs?: readonly Repair[], purges?: readonly DiskPurge[]): void;
  /** All but the outbox. */
  forgetMessages(): void;
  prepare(database: Database): Promise<void>;
  take(termsOf: Disk["termsOf"]): DiskWrite;
}

/** Several writes as one; of two for the same thing the later one counts. */
function emptyWrite(): PendingWrite {
  const chats = new Map<ChatKey, StoredChat>();
  /** In the order they came; of two copies the later one counts. */
  let messages: DiskMessage[] = [];
  const outbox = new Map<string, OutboxEntry>();
  const removedOutbox = new Set<string>();
  let repairs: Repair[] = [];
  let purges: DiskPurge[] = [];
  let removedMessages: RemovedMessages[] = [];
  let values: Record<string, unknown> = {};
  let clearMessages = false;
  let isEmpty = true;
  const forgetMessages = () => {
    chats.clear();
    messages = [];
    values = {};
    repairs = [];
    purges = [];
    removedMessages = [];
  };
  return {
    forgetMessages,
    get isEmpty() {
      return isEmpty;
    },
    get readsFirst() {
      return repairs.length > 0 || purges.length > 0;
    },
    add(write, more = [], gone = []) {
      isEmpty = false;
      if (write.clearMessages) {
        clearMessages = true;
        forgetMessages();
      }
      for (const removed of write.removedMessages ?? []) {
        removedMessages.push(removed);
        messages = messages.filter((row) => !isAmong(removed, row.chatKey, row.message.id));
        repairs = repairs.filter((repair) => !isAmong(removed, repair.chatKey, repair.id));
      }
      purges.push(...gone);
      messages = messages.filter(({ chatKey, message }) => !isPurged(gone, chatKey, message));
      for (const chat of write.chats ?? []) chats.set(chat.key, chat);
      for (const row of write.messages ?? []) messages.push(row);
      repairs.push(...more);
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
        for (const purge of purges)
          removedMessages.push({ chatKey: purge.chatKey, ids: await purgedIds(database, purge) });
      const written = new Map(messages.map((row) => [placeOf(row.chatKey, row.message.id), row.message]));
      const unknown = clearMessages
        ? []
        : repairs.filter(
            ({ chatKey, id }) =>
              !written.has(placeOf(chatKey, id)) &&
              !removedMessages.some((removed) => isAmong(removed, chatKey, id)),
          );
      const found = unknown.length === 0 ? [] : await database.messagesAt(unknown);
      unknown.forEach(({ chatKey, id }, i) => {
        const message = found[i];
        if (message !== undefined) written.set(placeOf(chatKey, id), message);
      });
      for (const { chatKey, id, apply } of repairs) {
        const place = placeOf(chatKey, id);
        const message = apply(written.get(place));
        // Of what goes in this very write nothing comes back.
        if (message === undefined || isPurged(purges, chatKey, message)) continue;
        written.set(place, message);
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

function isAmong(removed: RemovedMessages, chatKey: ChatKey, id: number | null): boolean {
  if (removed.chatKey !== chatKey || id === null) return false;
  return "ids" in removed ? removed.ids.includes(id) : id <= removed.upTo;
}

function placeOf(chatKey: ChatKey, id: number | null): string {
  return `${chatKey} ${id}`;
}

function isMessage(row: unknown): boolean {
  return isRecord(row) && typeof row["id"] === "number" && typeof row["content"] === "string";
}
