import type {
  ChatRecord,
  ChatSize,
  Database,
  DatabaseWrite,
  MessageRef,
  StoredFile,
} from "@parley/core/ports";
import { afterRequest, requestResult, transactionDone, openIndexedDb } from "./indexed-db.ts";

/** Increase it with every change of `upgrade`. */
const VERSION = 1;
/** How long to wait for another tab that keeps an older schema open. */
const BLOCKED_MS = 5_000;

type ChatKey = MessageRef["chatKey"];
type OutboxEntry = NonNullable<DatabaseWrite["outbox"]>[number];
type ChatMessage = NonNullable<DatabaseWrite["messages"]>[number]["message"];
/** A term and its chat, separated by a space, which no term contains. A list of strings is much cheaper to store than a list of lists. */
type TermKey = `${string} ${string}`;

/** Chat and negated id, so that one `getAll` with a limit returns the newest messages. */
type MessageKey = readonly [string, number];

/** `terms` has the search terms of each message under the key of the message; its index leads from a term and chat to these keys. */
const STORES = ["chats", "messages", "terms", "outbox", "values"] as const;
/** The files of drafts. Never part of a transaction with `STORES`: writing a large file takes long, and it may not fit. */
const FILES = "files";

/** Number of messages written in one task of the page. */
const BATCH_SIZE = 200;
/** The size of a chat is estimated from `SAMPLE_SIZE` messages. With its terms a message takes about `BYTES_PER_LETTER` bytes per letter. */
const SAMPLE_SIZE = 20;
const BYTES_PER_LETTER = 3;

function upgrade(database: IDBDatabase, oldVersion: number): void {
  if (oldVersion < 1) {
    database.createObjectStore("chats", { keyPath: "key" });
    database.createObjectStore("messages");
    database.createObjectStore("outbox", { keyPath: "tmpId" });
    database.createObjectStore("values");
    database.createObjectStore("terms").createIndex("terms", "terms", { multiEntry: true });
    database.createObjectStore(FILES, { keyPath: "id" });
  }
}

/** Opens one person's database; rejects when the browser refuses it. */
export async function openLocalDatabase(name: string): Promise<Database> {
  const lostListeners = new Set<() => void>();
  const notifyLost = () => {
    for (const listener of lostListeners) listener();
  };
  const database = await openIndexedDb(name, {
    version: VERSION,
    upgrade,
    blockedMs: BLOCKED_MS,
    onLost: notifyLost,
  });
  const read = (store: (typeof STORES)[number] | typeof FILES) =>
    database.transaction(store).objectStore(store);
  const writeFiles = async (write: (files: IDBObjectStore) => void) => {
    const transaction = database.transaction(FILES, "readwrite", { durability: "relaxed" });
    const done = transactionDone(transaction);
    write(transaction.objectStore(FILES));
    await done;
  };

  return {
    chats: async () => requestResult<ChatRecord[]>(read("chats").getAll()),

    async messagesBefore(chatKey, beforeId, limit) {
      const range = IDBKeyRange.bound([chatKey, -beforeId], [chatKey, Infinity], true);
      const newestFirst = await requestResult<ChatMessage[]>(read("messages").getAll(range, limit));
      return newestFirst.toReversed();
    },

    async messagesAfter(chatKey, afterId, limit) {
      const range = IDBKeyRange.bound([chatKey, -Infinity], [chatKey, -afterId], false, true);
      const found: ChatMessage[] = [];
      const request = read("messages").openCursor(range, "prev");
      let cursor = await requestResult<IDBCursorWithValue | null>(request);
      while (cursor !== null && found.length < limit) {
        found.push(cursor.value as ChatMessage);
        if (found.length === limit) break;
        cursor.continue();
        cursor = await requestResult<IDBCursorWithValue | null>(request);
      }
      return found;
    },

    async messagesAt(places) {
      const store = read("messages");
      return Promise.all(
        places.map(({ chatKey, id }) => requestResult<ChatMessage | undefined>(store.get([chatKey, -id]))),
      );
    },

    async messagesWithTerm(term, chatKey) {
      const index = read("terms").index("terms");
      const keys = await requestResult<MessageKey[]>(index.getAllKeys(rangeOfTerm(term, chatKey)));
      return keys.flatMap(([key, id]) =>
        chatKey === null || key === chatKey ? [{ chatKey: key as ChatKey, id: -id }] : [],
      );
    },

    async sizes(retained) {
      const chats = await requestResult<ChatKey[]>(read("chats").getAllKeys());
      return Promise.all(chats.map((key) => sizeOf(() => read("messages"), key, retained)));
    },

    async outbox() {
      const entries = await requestResult<OutboxEntry[]>(read("outbox").getAll());
      return entries.sort((a, b) => a.createdAt - b.createdAt);
    },

    value: async (key) => requestResult<unknown>(read("values").get(key)),

    valuesWith: async (prefix) =>
      requestResult<unknown[]>(read("values").getAll(IDBKeyRange.bound(prefix, `${prefix}\uffff`))),

    file: async (id) => requestResult<StoredFile | undefined>(read(FILES).get(id)),

    fileIds: async () => requestResult<string[]>(read(FILES).getAllKeys()),

    putFile: (file) => writeFiles((files) => files.put(file)),

    removeFiles: (ids) =>
      writeFiles((files) => {
        for (const id of ids) files.delete(id);
      }),

    async write(change) {
      const transaction = database.transaction(STORES, "readwrite", { durability: "relaxed" });
      await commitBatches(transaction, writeTo(transaction, change));
    },

    onLost(listener) {
      lostListeners.add(listener);
    },

    close() {
      lostListeners.clear();
      database.close();
    },
  };
}

function rangeOfTerm(
  { text, isPrefix }: { text: string; isPrefix: boolean },
  chatKey: string | null,
): IDBKeyRange {
  if (isPrefix) return IDBKeyRange.bound(text, `${text}\uffff`);
  // "!" follows the space, so the range contains exactly the keys that begin with the term and a space.
  return chatKey === null
    ? IDBKeyRange.bound(`${text} `, `${text}!`, false, true)
    : IDBKeyRange.only(`${text} ${chatKey}`);
}

function rangeOfChat(chatKey: string): IDBKeyRange {
  return IDBKeyRange.bound([chatKey, -Infinity], [chatKey, Infinity]);
}

async function sizeOf(messages: () => IDBObjectStore, chatKey: ChatKey, retained: number): Promise<ChatSize> {
  const range = rangeOfChat(chatKey);
  const count = await requestResult<number>(messages().count(range));
  const sample = await requestResult<ChatMessage[]>(messages().getAll(range, SAMPLE_SIZE));
  const letters = JSON.stringify(sample).length / Math.max(1, sample.length);
  const last =
    count > retained
      ? (await requestResult<MessageKey[]>(messages().getAllKeys(range, retained))).at(-1)
      : undefined;
  const bytes = Math.round(letters * BYTES_PER_LETTER * count);
  return { chatKey, count, bytes, oldestRetainedId: last === undefined ? null : -last[1] };
}

/** Writes each batch after the success of the one before it, and commits after the last one. Rejects if a value cannot be stored. */
async function commitBatches(
  transaction: IDBTransaction,
  batches: Generator<IDBRequest, undefined>,
): Promise<void> {
  const done = transactionDone(transaction);
  let thrown: { error: unknown } | null = null;
  const writeNextBatch = () => {
    try {
      const { value: last } = batches.next();
      if (last !== undefined) afterRequest(last, writeNextBatch);
      // Without an explicit commit the transaction is lost if the page is closed at this moment.
      else transaction.commit();
    } catch (error) {
      // If a value cannot be stored, abort the whole write.
      thrown = { error };
      transaction.abort();
    }
  };
  writeNextBatch();
  await done.catch((error: unknown) => {
    throw thrown === null ? error : thrown.error;
  });
}

/** Deletes all values but those whose keys begin with one of these texts. */
function clearValues(values: IDBObjectStore, kept: readonly string[]): void {
  let from: string | null = null;
  for (const prefix of kept.toSorted()) {
    values.delete(
      from === null ? IDBKeyRange.upperBound(prefix, true) : IDBKeyRange.bound(from, prefix, true, true),
    );
    from = `${prefix}\uffff`;
  }
  if (from === null) values.clear();
  else values.delete(IDBKeyRange.lowerBound(from, true));
}

/**
 * Writes one batch at each step and yields its last request; the next step must wait for its success. Writing the thousands of messages of a
 * first login at once would block the page for seconds.
 */
function* writeTo(transaction: IDBTransaction, change: DatabaseWrite): Generator<IDBRequest, undefined> {
  const chats = transaction.objectStore("chats");
  const messages = transaction.objectStore("messages");
  const terms = transaction.objectStore("terms");
  const outbox = transaction.objectStore("outbox");
  const values = transaction.objectStore("values");
  if (change.clearMessages === true) {
    chats.clear();
    messages.clear();
    terms.clear();
    clearValues(values, change.keptValues ?? []);
  }
  for (const chat of change.chats ?? []) chats.put(chat);
  for (const removed of change.removedMessages ?? []) {
    const { chatKey } = removed;
    if ("upTo" in removed) {
      const range = IDBKeyRange.bound([chatKey, -removed.upTo], [chatKey, Infinity]);
      messages.delete(range);
      terms.delete(range);
    } else {
      for (const id of removed.ids) {
        messages.delete([chatKey, -id]);
        terms.delete([chatKey, -id]);
      }
    }
  }
  let batchCount = 0;
  for (const { chatKey, message, terms: termsOf } of change.messages ?? []) {
    // A message without an id is in the outbox.
    if (message.id === null) continue;
    const key = [chatKey, -message.id];
    const put = messages.put(message, key);
    const messageTerms = termsOf?.() ?? [];
    if (messageTerms.length === 0) terms.delete(key);
    else terms.put({ terms: messageTerms.map((term): TermKey => `${term} ${chatKey}`) }, key);
    if (++batchCount < BATCH_SIZE) continue;
    batchCount = 0;
    yield put;
  }
  for (const key of change.removedChats ?? []) {
    chats.delete(key);
    messages.delete(rangeOfChat(key));
    terms.delete(rangeOfChat(key));
  }
  for (const entry of change.outbox ?? []) outbox.put(entry);
  for (const tmpId of change.removedOutbox ?? []) outbox.delete(tmpId);
  for (const [key, value] of Object.entries(change.values ?? {})) {
    if (value === undefined) values.delete(key);
    else values.put(value, key);
  }
  return undefined;
}
