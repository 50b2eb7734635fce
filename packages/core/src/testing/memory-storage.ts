import { hasPrefix } from "../storage/pending-write.ts";
import type { ChatKey, ChatMessage, OutboxEntry } from "../model/state.ts";
import type {
  ChatRecord,
  Database,
  DatabaseWrite,
  KeyValue,
  StoragePort,
  StoredFile,
  Vault,
} from "../ports.ts";

/** The storage of one device in memory. Like the real port it copies values and applies a write as a whole or not at all. */
export interface MemoryStorage extends StoragePort {
  /** Every call of a database rejects from now on, as in a browser that is full or forbids storage. */
  shouldRefuse: boolean;
  /** There is no room for another file. */
  isFullForFiles: boolean;
  /** Planted fault: messages of a write are lost while the rest of it is stored. */
  losesMessages: boolean;
  /** The same device in another tab or after a reload: databases and local values stay, session values only in the same tab. */
  tab(isSameTab: boolean): MemoryStorage;
  /** Deletes all databases while they are open. */
  deleteDatabases(): void;
  /** Everything that the databases of the device hold, as text. */
  dump(): string;
  /** Clears the local values in this tab, as a browser does with site data. */
  clearLocal(): void;
}

/** Messages are kept as text, which is the fastest copy; chats and values have infinite numbers, which JSON does not. */
interface Tables {
  chats: Map<ChatKey, ChatRecord>;
  messages: Map<ChatKey, Map<number, string>>;
  terms: Map<ChatKey, Map<number, readonly string[]>>;
  outbox: Map<string, string>;
  files: Map<string, StoredFile>;
  values: Map<string, unknown>;
}

interface DeviceStorage {
  local: Map<string, string>;
  databases: Map<string, Tables>;
  openDatabases: Set<{ lost: () => void }>;
  /** Tabs to notify when another one clears `local`. */
  watchers: Set<{ tab: MemoryStorage; cleared: () => void }>;
}

/** Creates the storage of a new device. */
export function createMemoryStorage(options: { hasVault?: boolean } = {}): MemoryStorage {
  const device: DeviceStorage = {
    local: new Map(),
    databases: new Map(),
    openDatabases: new Set(),
    watchers: new Set(),
  };
  return storageOf(device, new Map(), options.hasVault ?? true);
}

function storageOf(device: DeviceStorage, session: Map<string, string>, hasVault: boolean): MemoryStorage {
  const storage: MemoryStorage = {
    shouldRefuse: false,
    isFullForFiles: false,
    losesMessages: false,
    local: keyValue(device.local),
    session: keyValue(session),
    vault: hasVault ? fakeVault : null,
    async open(name) {
      if (storage.shouldRefuse) throw new Error("storage refused");
      let tables = device.databases.get(name);
      if (tables === undefined) {
        tables = {
          chats: new Map(),
          messages: new Map(),
          terms: new Map(),
          outbox: new Map(),
          files: new Map(),
          values: new Map(),
        };
        device.databases.set(name, tables);
      }
      return databaseOf(tables, storage, device);
    },
    async remove(name) {
      if (storage.shouldRefuse) throw new Error("storage refused");
      device.databases.delete(name);
    },
    tab: (isSameTab) => storageOf(device, isSameTab ? session : new Map(), hasVault),
    onCleared(cleared) {
      const watcher = { tab: storage, cleared };
      device.watchers.add(watcher);
      return () => device.watchers.delete(watcher);
    },
    clearLocal() {
      device.local.clear();
      for (const { tab, cleared } of device.watchers) if (tab !== storage) cleared();
    },
    dump: () =>
      JSON.stringify(
        [...device.databases].map(([name, tables]) => [
          name,
          Object.values(tables).map((table: Map<unknown, unknown>) => [...table]),
        ]),
      ),
    deleteDatabases() {
      device.databases.clear();
      for (const open of device.openDatabases) open.lost();
    },
  };
  return storage;
}

function databaseOf(tables: Tables, storage: MemoryStorage, device: DeviceStorage): Database {
  const listeners = new Set<() => void>();
  const handle = { lost: () => listeners.forEach((listener) => listener()) };
  device.openDatabases.add(handle);

  async function run<T>(work: () => T): Promise<T> {
    if (storage.shouldRefuse) throw new Error("storage refused");
    return work();
  }

  return {
    chats: () => run(() => copyOf([...tables.chats.values()])),
    messagesBefore: (key, beforeId, limit) =>
      run(() =>
        [...(tables.messages.get(key) ?? [])]
          .filter(([id]) => id < beforeId)
          .sort(([a], [b]) => a - b)
          .slice(-limit)
          .map(([, text]) => JSON.parse(text) as ChatMessage),
      ),
    messagesAfter: (key, afterId, limit) =>
      run(() =>
        [...(tables.messages.get(key) ?? [])]
          .filter(([id]) => id > afterId)
          .sort(([a], [b]) => a - b)
          .slice(0, limit)
          .map(([, text]) => JSON.parse(text) as ChatMessage),
      ),
    messagesAt: (refs) =>
      run(() =>
        refs.map(({ chatKey, id }) => {
          const text = tables.messages.get(chatKey)?.get(id);
          return text === undefined ? undefined : (JSON.parse(text) as ChatMessage);
        }),
      ),
    messagesWithTerm: ({ text, isPrefix }, chatKey) =>
      run(() =>
        [...tables.terms].flatMap(([key, rows]) =>
          chatKey !== null && chatKey !== key
            ? []
            : [...rows]
                .filter(([, terms]) =>
                  terms.some((term) => (isPrefix ? term.startsWith(text) : term === text)),
                )
                .map(([id]) => ({ chatKey: key, id })),
        ),
      ),
    sizes: (retainedCount) =>
      run(() =>
        [...tables.messages].map(([chatKey, rows]) => ({
          chatKey,
          count: rows.size,
          bytes: [...rows.values()].reduce((sum, text) => sum + text.length, 0),
          oldestRetainedId:
            rows.size > retainedCount
              ? ([...rows.keys()].sort((a, b) => b - a)[retainedCount - 1] ?? null)
              : null,
        })),
      ),
    outbox: () => run(() => [...tables.outbox.values()].map((text) => JSON.parse(text) as OutboxEntry)),
    value: (key) => run(() => copyOf(tables.values.get(key))),
    valuesWith: (prefix) =>
      run(() =>
        [...tables.values].filter(([key]) => key.startsWith(prefix)).map(([, value]) => copyOf(value)),
      ),
    file: (id) => run(() => tables.files.get(id)),
    fileIds: () => run(() => [...tables.files.keys()]),
    putFile: (file) =>
      run(() => {
        if (storage.isFullForFiles) throw new Error("the file does not fit");
        tables.files.set(file.id, file);
      }),
    removeFiles: (ids) => run(() => ids.forEach((id) => tables.files.delete(id))),
    write: (write) => run(() => apply(tables, write, storage.losesMessages)),
    onLost: (listener) => void listeners.add(listener),
    close: () => void device.openDatabases.delete(handle),
  };
}

function apply(tables: Tables, write: DatabaseWrite, losesMessages: boolean): void {
  if (write.clearMessages) {
    tables.chats.clear();
    tables.messages.clear();
    tables.terms.clear();
    for (const key of tables.values.keys())
      if (!hasPrefix(key, write.keptValues ?? [])) tables.values.delete(key);
  }
  for (const chat of write.chats ?? []) tables.chats.set(chat.key, copyOf(chat));
  for (const key of write.removedChats ?? []) {
    tables.chats.delete(key);
    tables.messages.delete(key);
    tables.terms.delete(key);
  }
  for (const removed of write.removedMessages ?? []) {
    for (const rows of [tables.messages.get(removed.chatKey), tables.terms.get(removed.chatKey)]) {
      for (const id of rows?.keys() ?? []) {
        if ("ids" in removed ? removed.ids.includes(id) : id <= removed.upTo) rows?.delete(id);
      }
    }
  }
  for (const { chatKey, message, terms } of losesMessages ? [] : (write.messages ?? [])) {
    if (message.id === null) throw new Error("a message without an id belongs to the outbox");
    const rows = tables.messages.get(chatKey) ?? new Map<number, string>();
    rows.set(message.id, JSON.stringify(message));
    tables.messages.set(chatKey, rows);
    const termsById = tables.terms.get(chatKey) ?? new Map<number, readonly string[]>();
    termsById.set(message.id, terms?.() ?? []);
    tables.terms.set(chatKey, termsById);
  }
  for (const entry of write.outbox ?? []) tables.outbox.set(entry.tmpId, JSON.stringify(entry));
  for (const tmpId of write.removedOutbox ?? []) tables.outbox.delete(tmpId);
  for (const [key, value] of Object.entries(write.values ?? {})) {
    if (value === undefined) tables.values.delete(key);
    else tables.values.set(key, copyOf(value));
  }
}

/** A copy of plain data, as a real database makes it. */
function copyOf<T>(value: T): T {
  if (Array.isArray(value)) return value.map(copyOf) as T;
  if (typeof value !== "object" || value === null) return value;
  const copy = { ...value };
  for (const key in copy) copy[key] = copyOf(copy[key]);
  return copy;
}

function keyValue(map: Map<string, string>): KeyValue {
  return {
    get: (key) => map.get(key) ?? null,
    set: (key, value) => void map.set(key, value),
    remove: (key) => void map.delete(key),
  };
}

/** Encrypts nothing, but opens only what it has sealed. */
const fakeVault: Vault = {
  seal: async (secret) => `sealed:${secret}`,
  open: async (sealed) => (sealed.startsWith("sealed:") ? sealed.slice("sealed:".length) : null),
};
