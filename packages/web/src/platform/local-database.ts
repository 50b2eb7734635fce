import type {
  ChatSize,
  Database,
  DatabaseWrite,
  MessageRef,
  OutboxEntry,
  ChatRecord,
} from "@parley/core/ports";
import { requestResult, transactionDone, openIndexedDb } from "./indexed-db.ts";

/** Raise it with every change of `upgrade`. */
const VERSION = 2;
/** Another tab that will not let go of an older schema is waited for this long. */
const BLOCKED_MS = 5_000;

type ChatKey = MessageRef["chatKey"];
type ChatMessage = NonNullable<DatabaseWrite["messages"]>[number]["message"];
/** A term and its chat, with a space between, which no term has: a list of texts costs much less to store than one of lists. */
type TermKey = `${string} ${string}`;

/** By its chat and -id, so that one `getAll` with a limit answers the newest ones. */
type MessageKey = readonly [string, number];

/** `terms` holds what messages are found by, under their keys: its index has term, chat and -id of each. */
const STORES = ["chats", "messages", "terms", "outbox", "values"] as const;

/** So many messages are written in one turn of the page. */
const BATCH_SIZE = 200;
/** So many messages of a chat tell how big its messages are; a message and what it is found by take about this often its text. */
const SAMPLE = 20;
const BYTES_PER_LETTER = 3;

function upgrade(database: IDBDatabase, oldVersion: number): void {
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
  const read = (store: (typeof STORES)[number]) => database.transaction(store).objectStore(store);

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

    async sizes(kept) {
      const chats = await requestResult<ChatKey[]>(read("chats").getAllKeys());
      return Promise.all(chats.map((key) => sizeOf(() => read("messages"), key, kept)));
    },

    async outbox() {
      const entries = await requestResult<OutboxEntry[]>(read("outbox").getAll());
      return entries.sort((a, b) => a.createdAt - b.createdAt);
    },

    value: async (key) => requestResult<unknown>(read("values").get(key)),

    async write(change) {
      const transaction = database.transaction(STORES, "readwrite", { durability: "relaxed" });
      const isDone = transactionDone(transaction);
      const pieces = writeTo(transaction, change);
      let thrown: { error: unknown } | null = null;
      const writeOn = () => {
        try {
          const { value: last } = pieces.next();
          if (last !== undefined) last.addEventListener("success", writeOn);
          // A page that goes away at this moment takes transactions along that were not told to commit.
          else transaction.commit();
        } catch (error) {
          // What cannot be stored throws away all of the write.
          thrown = { error };
          transaction.abort();
        }
      };
      writeOn();
      await isDone.catch((error: unknown) => {
        throw thrown === null ? error : thrown.error;
      });
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
  // The sign behind the space ends what begins with the term and a space.
  return chatKey === null
    ? IDBKeyRange.bound(`${text} `, `${text}!`, false, true)
    : IDBKeyRange.only(`${text} ${chatKey}`);
}

function rangeOfChat(chatKey: string): IDBKeyRange {
  return IDBKeyRange.bound([chatKey, -Infinity], [chatKey, Infinity]);
}

async function sizeOf(messages: () => IDBObjectStore, chatKey: ChatKey, kept: number): Promise<ChatSize> {
  const range = rangeOfChat(chatKey);
  const count = await requestResult<number>(messages().count(range));
  const sample = await requestResult<ChatMessage[]>(messages().getAll(range, SAMPLE));
  const letters = JSON.stringify(sample).length / Math.max(1, sample.length);
  const last =
    count > kept ? (await requestResult<MessageKey[]>(messages().getAllKeys(range, kept))).at(-1) : undefined;
  const bytes = Math.round(letters * BYTES_PER_LETTER * count);
  return { chatKey, count, bytes, oldestRetainedId: last === undefined ? null : -last[1] };
}

/**
 * Writes a piece at each step and answers its last request, after whose success the next one may come: the thousands of messages of a first
 * login would hold up the page for seconds.
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
    values.clear();
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
  let inPiece = 0;
  for (const { chatKey, message, terms: termsOf } of change.messages ?? []) {
    // Without an id it is in the outbox.
    if (message.id === null) continue;
    const key = [chatKey, -message.id];
    const put = messages.put(message, key);
    const found = termsOf?.() ?? [];
    if (found.length === 0) terms.delete(key);
    else terms.put({ terms: found.map((term): TermKey => `${term} ${chatKey}`) }, key);
    if (++inPiece < BATCH_SIZE) continue;
    inPiece = 0;
    yield put;
  }
  for (const key of change.removedChats ?? []) {
    chats.delete(key);
    messages.delete(rangeOfChat(key));
    terms.delete(rangeOfChat(key));
  }
  for (const entry of change.outbox ?? []) outbox.put(entry);
  for (const tmpId of change.removedOutbox ?? []) outbox.delete(tmpId);
  for (const [key, value] of Object.entries(change.values ?? {})) values.put(value, key);
  return undefined;
}
