import * as z from "zod/mini";
import { localEchoOf } from "../model/chats/local-echoes.ts";
import type { ChatKey, DraftQuote, Failure, OutboxEntry, Sending } from "../model/state.ts";
import { chatKey, draftQuote, failure as failureSchema, pendingUpload } from "../model/schemas.ts";
import { restoredEntry } from "../model/uploads/restored-upload.ts";
import { createDurableQueue } from "../storage/durable-queue.ts";
import type { ChatDeps } from "./chat-store.ts";

/** What is sent together with a text. */
export interface TextExtras {
  readonly quote: DraftQuote | null;
  /** Groups: the mentioned user ids, each once; -1 is everyone. */
  readonly atUserIds: readonly number[];
  /** Groups: whether to request read receipts. */
  readonly receipt: boolean;
}

export const NO_EXTRAS: TextExtras = { quote: null, atUserIds: [], receipt: false };

const outboxEntry: z.ZodMiniType<OutboxEntry> = z.object({
  tmpId: z.string(),
  tab: z.string(),
  chatKey,
  type: z.number(),
  content: z.string(),
  quote: z.nullable(draftQuote),
  upload: z.nullable(pendingUpload),
  atUserIds: z.array(z.number()),
  receipt: z.boolean(),
  createdAt: z.number(),
  failed: z.boolean(),
  failure: z.nullable(failureSchema),
});

/** The messages of the outbox: saved, in order, and shown in their chats. */
export interface OutboxEntries {
  all(): readonly OutboxEntry[];
  get(tmpId: string): OutboxEntry | undefined;
  /** Reads what an earlier page or another tab has saved. Does not show it, because the chats may not be loaded yet, and sends nothing. */
  restore(): Promise<void>;
  /** What is saved, oldest first. Entries that no message can be made of are removed. */
  saved(): Promise<OutboxEntry[]>;
  /** Whether an entry was read from the local database: an earlier page or another tab has written it. */
  isRestored(tmpId: string): boolean;
  /** A new entry without content, after all others. */
  create(key: ChatKey, type: number, extras?: TextExtras, tmpId?: string): OutboxEntry;
  /** Shows an entry, saves it, and sends it when its turn comes. */
  put(entry: OutboxEntry): void;
  /** Shows an entry and puts it in the place of the one with the same tmpId. */
  replace(entry: OutboxEntry, sending: Sending): void;
  /** Saves an entry in the place of the one with the same tmpId, without showing it. */
  save(entry: OutboxEntry): void;
  /** Shows entries in their chats, as messages that are not confirmed. */
  show(entries: readonly OutboxEntry[]): void;
  showSending(entry: OutboxEntry, sending: Sending): void;
  /** Removes the entries that the server has stored. */
  confirm(tmpIds: readonly string[]): void;
  /** Removes entries from the database and the screen. */
  discard(entries: readonly OutboxEntry[]): void;
  /** Another tab sends these: they stay saved, but not here. */
  leave(entries: readonly OutboxEntry[]): void;
  /** Sends again what has waited for an answer. */
  retry(): void;
}

/** What the entries need. */
export interface OutboxEntriesDeps extends ChatDeps {
  /** Names this tab. */
  readonly clientId: string;
  /** Sends one entry; null: it needs nothing more. */
  send(entry: OutboxEntry): Promise<Failure | null>;
}

/** Creates the entries of one session. */
export function createOutboxEntries(deps: OutboxEntriesDeps): OutboxEntries {
  const { ports, stateStore, database, chatStore, me, clientId } = deps;
  const restored = new Set<string>();
  const queue = createDurableQueue<OutboxEntry>({
    ports,
    idOf: ({ tmpId }) => tmpId,
    laneOf: ({ chatKey }) => chatKey,
    isWaiting: ({ failed }) => !failed,
    load: saved,
    save: (outbox, removedOutbox) => database.save({ outbox, removedOutbox }),
    send: (entry) => deps.send(entry),
    onUnanswered: (entry) => showSending(entry, "waiting"),
    onRefused(entry, failure) {
      showSending(entry, "failed", failure);
      return { ...entry, failed: true, failure };
    },
  });

  async function saved(): Promise<OutboxEntry[]> {
    const rows = await database.outbox();
    const readable = rows.flatMap((row) => outboxEntry.safeParse(row).data ?? []);
    const known = new Set(readable.map(({ tmpId }) => tmpId));
    const removedOutbox = rows.map(({ tmpId }) => tmpId).filter((tmpId) => !known.has(tmpId));
    if (removedOutbox.length > 0) database.save({ removedOutbox });
    for (const tmpId of known) if (get(tmpId) === undefined) restored.add(tmpId);
    // Not saved: the tab that has the file may still be uploading it.
    return readable.map(restoredEntry).sort((a, b) => a.createdAt - b.createdAt);
  }

  function get(tmpId: string): OutboxEntry | undefined {
    return queue.entries().find((candidate) => candidate.tmpId === tmpId);
  }

  function show(entries: readonly OutboxEntry[]): void {
    for (const entry of entries) {
      const message = localEchoOf(entry, me, stateStore.get());
      chatStore.dispatch([{ kind: "localEcho", key: entry.chatKey, message }]);
    }
  }

  function showSending(
    { chatKey: key, tmpId }: OutboxEntry,
    sending: Sending,
    failure: Failure | null = null,
  ) {
    chatStore.dispatch([{ kind: "sending", key, tmpId, sending, failure }]);
  }

  function hide(entries: readonly OutboxEntry[]): void {
    chatStore.dispatch(entries.map(({ chatKey: key, tmpId }) => ({ kind: "discard", key, tmpId })));
  }

  return {
    all: queue.entries,
    get,
    restore: () => queue.restore(),
    saved,
    isRestored: (tmpId) => restored.has(tmpId),
    create: (key, type, extras = NO_EXTRAS, tmpId = ports.random.id()) => ({
      tmpId,
      tab: clientId,
      chatKey: key,
      type,
      content: "",
      upload: null,
      ...extras,
      // Entries written in the same moment keep their order through a reload.
      createdAt: Math.max(ports.clock.now(), ...queue.entries().map(({ createdAt }) => createdAt + 1)),
      failed: false,
      failure: null,
    }),
    put(entry) {
      stateStore.batch(() => {
        show([entry]);
        void queue.put(entry);
      });
    },
    replace(entry, sending) {
      const { chatKey: key, tmpId, content, upload, failure } = entry;
      stateStore.batch(() => {
        chatStore.dispatch([{ kind: "upload", key, tmpId, content, upload }]);
        showSending(entry, sending, failure);
        void queue.put(entry);
      });
    },
    save: (entry) => void queue.put(entry),
    show,
    showSending,
    confirm: queue.remove,
    discard(entries) {
      queue.remove(entries.map(({ tmpId }) => tmpId));
      hide(entries);
    },
    leave(entries) {
      queue.leaveTo(entries.map(({ tmpId }) => tmpId));
      hide(entries);
    },
    retry: queue.retry,
  };
}
