import { openDB } from "idb";
import type { DBSchema, IDBPDatabase, IDBPTransaction, StoreNames } from "idb";
import type { Database, DiskWrite, OutboxEntry, StoredChat } from "@parley/core/runtime/ports";

/** Raise it with every change of `upgrade`. */
const VERSION = 1;
/** Another tab that will not let go of an older schema is waited for this long. */
const BLOCKED_MS = 5_000;

interface Schema extends DBSchema {
  chats: { key: string; value: StoredChat };
  /** Key: [chat, -id], so that one `getAll` with a limit answers the newest ones. */
  messages: { key: [string, number]; value: ChatMessage };
  outbox: { key: string; value: OutboxEntry };
  values: { key: string; value: unknown };
}

type ChatMessage = NonNullable<DiskWrite["messages"]>[number]["message"];
type Stores = "chats" | "messages" | "outbox" | "values";
type Upgrade = IDBPTransaction<Schema, StoreNames<Schema>[], "versionchange">;

function upgrade(
  database: IDBPDatabase<Schema>,
  oldVersion: number,
  _newVersion: number | null,
  _transaction: Upgrade,
): void {
  if (oldVersion < 1) {
    database.createObjectStore("chats", { keyPath: "key" });
    database.createObjectStore("messages");
    database.createObjectStore("outbox", { keyPath: "tmpId" });
    database.createObjectStore("values");
  }
}

/** Opens one person's database; rejects when the browser refuses it. */
export async function openDatabase(name: string): Promise<Database> {
  const lost = new Set<() => void>();
  const tellLost = () => {
    for (const listener of lost) listener();
  };
  const database = await openOrGiveUp(name, () => tellLost());

  return {
    chats: () => database.getAll("chats"),

    async messagesBefore(chatKey, beforeId, limit) {
      const range = IDBKeyRange.bound([chatKey, -beforeId], [chatKey, Infinity], true);
      const newestFirst = await database.getAll("messages", range, limit);
      return newestFirst.toReversed();
    },

    async outbox() {
      const entries = await database.getAll("outbox");
      return entries.sort((a, b) => a.createdAt - b.createdAt);
    },

    value: (key) => database.get("values", key),

    async write(change) {
      const transaction = database.transaction(["chats", "messages", "outbox", "values"], "readwrite", {
        durability: "relaxed",
      });
      const requests: Promise<unknown>[] = [];
      try {
        for (const request of requestsOf(change, transaction)) requests.push(request);
        // A page that goes away at this moment takes transactions along that were not told to commit.
        transaction.commit();
        await Promise.all([...requests, transaction.done]);
      } catch (error) {
        // One request that fails throws away all of the write.
        abort(transaction);
        await Promise.allSettled([...requests, transaction.done]);
        throw error;
      }
    },

    onLost(listener) {
      lost.add(listener);
    },

    close() {
      lost.clear();
      database.close();
    },
  };
}

function abort(transaction: IDBPTransaction<Schema, Stores[], "readwrite">): void {
  try {
    transaction.abort();
  } catch {
    // It has ended by itself.
  }
}

async function openOrGiveUp(name: string, onLost: () => void): Promise<IDBPDatabase<Schema>> {
  let giveUp: (reason: Error) => void = () => undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const gaveUp = new Promise<never>((_, reject) => {
    giveUp = reject;
  });
  const opening = openDB<Schema>(name, VERSION, {
    upgrade,
    blocked() {
      timer = setTimeout(() => giveUp(new Error("another tab keeps an older database open")), BLOCKED_MS);
    },
    blocking(_current, _wanted, event) {
      // A newer tab, or the person who clears site data, waits for this connection.
      if (event.target instanceof IDBDatabase) event.target.close();
      onLost();
    },
    terminated: onLost,
  });
  try {
    return await Promise.race([opening, gaveUp]);
  } finally {
    clearTimeout(timer);
  }
}

function* requestsOf(
  change: DiskWrite,
  transaction: IDBPTransaction<Schema, Stores[], "readwrite">,
): Generator<Promise<unknown>> {
  const chats = transaction.objectStore("chats");
  const messages = transaction.objectStore("messages");
  const outbox = transaction.objectStore("outbox");
  const values = transaction.objectStore("values");
  if (change.clearMessages === true) {
    yield chats.clear();
    yield messages.clear();
    yield values.clear();
  }
  for (const chat of change.chats ?? []) yield chats.put(chat);
  for (const removed of change.removedMessages ?? []) {
    const { chatKey } = removed;
    if ("upTo" in removed) {
      yield messages.delete(IDBKeyRange.bound([chatKey, -removed.upTo], [chatKey, Infinity]));
    } else {
      for (const id of removed.ids) yield messages.delete([chatKey, -id]);
    }
  }
  for (const { chatKey, message } of change.messages ?? []) {
    // Without an id it is in the outbox.
    if (message.id !== null) yield messages.put(message, [chatKey, -message.id]);
  }
  for (const key of change.removedChats ?? []) {
    yield chats.delete(key);
    yield messages.delete(IDBKeyRange.bound([key, -Infinity], [key, Infinity]));
  }
  for (const entry of change.outbox ?? []) yield outbox.put(entry);
  for (const tmpId of change.removedOutbox ?? []) yield outbox.delete(tmpId);
  for (const [key, value] of Object.entries(change.values ?? {})) yield values.put(value, key);
}
