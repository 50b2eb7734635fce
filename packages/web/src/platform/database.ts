import { openDB } from "idb";
import type { DBSchema, IDBPDatabase, IDBPTransaction, StoreNames } from "idb";
import type {
  ChatSize,
  Database,
  DiskWrite,
  MessagePlace,
  OutboxEntry,
  StoredChat,
} from "@parley/core/runtime/ports";

/** Raise it with every change of `upgrade`. */
const VERSION = 2;
/** Another tab that will not let go of an older schema is waited for this long. */
const BLOCKED_MS = 5_000;

interface Schema extends DBSchema {
  chats: { key: string; value: StoredChat };
  /** Key: [chat, -id], so that one `getAll` with a limit answers the newest ones. */
  messages: { key: [string, number]; value: ChatMessage };
  /** What messages are found by, under their keys: the index has term, chat and -id of each. */
  terms: { key: [string, number]; value: { terms: TermKey[] }; indexes: { terms: TermKey } };
  outbox: { key: string; value: OutboxEntry };
  values: { key: string; value: unknown };
}

type ChatKey = MessagePlace["chatKey"];
type ChatMessage = NonNullable<DiskWrite["messages"]>[number]["message"];
/** A term and its chat, with a space between, which no term has: a list of texts costs much less to store than one of lists. */
type TermKey = `${string} ${string}`;

const STORES = ["chats", "messages", "terms", "outbox", "values"] as const;

/** So many messages of a chat tell how big its messages are; a message and what it is found by take about this often its text. */
const SAMPLE = 20;
const BYTES_PER_LETTER = 3;

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
  if (oldVersion < 2) {
    database.createObjectStore("terms").createIndex("terms", "terms", { multiEntry: true });
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

    async messagesAfter(chatKey, afterId, limit) {
      const range = IDBKeyRange.bound([chatKey, -Infinity], [chatKey, -afterId], false, true);
      const found: ChatMessage[] = [];
      let cursor = await database.transaction("messages").store.openCursor(range, "prev");
      while (cursor !== null && found.length < limit) {
        found.push(cursor.value);
        if (found.length < limit) cursor = await cursor.continue();
      }
      return found;
    },

    async messagesAt(places) {
      const { store } = database.transaction("messages");
      return Promise.all(places.map(({ chatKey, id }) => store.get([chatKey, -id])));
    },

    async placesOf(term, chatKey) {
      const keys = await database.getAllKeysFromIndex("terms", "terms", rangeOfTerm(term, chatKey));
      return keys.flatMap(([key, id]) =>
        chatKey === null || key === chatKey ? [{ chatKey: key as ChatKey, id: -id }] : [],
      );
    },

    async sizes(kept) {
      const chats = await database.getAllKeys("chats");
      return Promise.all(chats.map((key) => sizeOf(database, key as ChatKey, kept)));
    },

    async outbox() {
      const entries = await database.getAll("outbox");
      return entries.sort((a, b) => a.createdAt - b.createdAt);
    },

    value: (key) => database.get("values", key),

    async write(change) {
      const transaction = database.transaction(STORES, "readwrite", {
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

function rangeOfTerm(
  { text, isPrefix }: { text: string; isPrefix: boolean },
  chatKey: string | null,
): IDBKeyRange {
  if (isPrefix) return IDBKeyRange.bound(text, `${text}\uffff`);
  // The sign behind the space ends what begins with the term and a space.
  return chatKey === null
    ? IDBKeyRange.bound(`${text} `, `${text}!`, false, true)
    : IDBKeyRange.only(`${text} ${chatKey}`);
}

function rangeOfChat(chatKey: string): IDBKeyRange {
  return IDBKeyRange.bound([chatKey, -Infinity], [chatKey, Infinity]);
}

async function sizeOf(database: IDBPDatabase<Schema>, chatKey: ChatKey, kept: number): Promise<ChatSize> {
  const range = rangeOfChat(chatKey);
  const count = await database.count("messages", range);
  const sample = await database.getAll("messages", range, SAMPLE);
  const letters = JSON.stringify(sample).length / Math.max(1, sample.length);
  const last = count > kept ? (await database.getAllKeys("messages", range, kept)).at(-1) : undefined;
  const bytes = Math.round(letters * BYTES_PER_LETTER * count);
  return { chatKey, count, bytes, keptFrom: last === undefined ? null : -last[1] };
}

function abort(transaction: IDBPTransaction<Schema, typeof STORES, "readwrite">): void {
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
  transaction: IDBPTransaction<Schema, typeof STORES, "readwrite">,
): Generator<Promise<unknown>> {
  const chats = transaction.objectStore("chats");
  const messages = transaction.objectStore("messages");
  const terms = transaction.objectStore("terms");
  const outbox = transaction.objectStore("outbox");
  const values = transaction.objectStore("values");
  if (change.clearMessages === true) {
    yield chats.clear();
    yield messages.clear();
    yield terms.clear();
    yield values.clear();
  }
  for (const chat of change.chats ?? []) yield chats.put(chat);
  for (const removed of change.removedMessages ?? []) {
    const { chatKey } = removed;
    if ("upTo" in removed) {
      const range = IDBKeyRange.bound([chatKey, -removed.upTo], [chatKey, Infinity]);
      yield messages.delete(range);
      yield terms.delete(range);
    } else {
      for (const id of removed.ids) {
        yield messages.delete([chatKey, -id]);
        yield terms.delete([chatKey, -id]);
      }
    }
  }
  for (const { chatKey, message, terms: termsOf } of change.messages ?? []) {
    // Without an id it is in the outbox.
    if (message.id === null) continue;
    const key: [string, number] = [chatKey, -message.id];
    yield messages.put(message, key);
    const found = termsOf?.() ?? [];
    yield found.length === 0
      ? terms.delete(key)
      : terms.put({ terms: found.map((term): TermKey => `${term} ${chatKey}`) }, key);
  }
  for (const key of change.removedChats ?? []) {
    yield chats.delete(key);
    yield messages.delete(rangeOfChat(key));
    yield terms.delete(rangeOfChat(key));
  }
  for (const entry of change.outbox ?? []) yield outbox.put(entry);
  for (const tmpId of change.removedOutbox ?? []) yield outbox.delete(tmpId);
  for (const [key, value] of Object.entries(change.values ?? {})) yield values.put(value, key);
}
