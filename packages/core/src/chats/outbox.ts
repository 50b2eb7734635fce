import { MessageType } from "@parley/protocol/codes";
import { readChatRow } from "../model/connection/read-frame.ts";
import { parseChatKey } from "../model/chats/chat-rows.ts";
import { localEchoOf } from "../model/chats/local-echoes.ts";
import type { ChatKey, DraftQuote, Failure, OutboxEntry, Sending } from "../model/state.ts";
import type { ChatDeps } from "./chat-store.ts";
import { createDurableQueue } from "../storage/durable-queue.ts";
import { chatApiOf } from "./chat-api.ts";

/**
 * The user's messages that are not confirmed yet. Each is shown and saved at once; those of one chat are sent one at a time, in order.
 * Without an answer a message is sent again with the same tmpId, so that it is stored once however often it is sent. A refusal fails it.
 */
export interface Outbox {
  /** Reads the messages that waited before a reload; `showLocalEchoes` shows them, once the chats are loaded. */
  restore(): Promise<void>;
  showLocalEchoes(): void;
  /** Blank text does nothing. */
  sendText(key: ChatKey, text: string, extras: TextExtras): void;
  send(key: ChatKey, type: number, content: string): void;
  resend(key: ChatKey, tmpId: string): void;
  discard(key: ChatKey, tmpId: string): void;
  /** The network may be back. */
  retry(): void;
  /** The server has stored these; this may be known from an answer, a push or a pull. */
  confirm(tmpIds: readonly string[]): void;
  /** The chats were emptied: shows the local echoes again. `isOtherServer`: without their quotes, which do not exist there. */
  reset(isOtherServer: boolean): void;
}

/** What is sent together with a text. */
export interface TextExtras {
  readonly quote: DraftQuote | null;
  /** Groups: the mentioned user ids, each once; -1 is everyone. */
  readonly atUserIds: readonly number[];
  /** Groups: whether to request read receipts. */
  readonly receipt: boolean;
}

const NO_EXTRAS: TextExtras = { quote: null, atUserIds: [], receipt: false };

/** Creates the outbox of one session. */
export function createOutbox({ ports, api, stateStore, database, chatStore, me }: ChatDeps): Outbox {
  const queue = createDurableQueue<OutboxEntry>({
    ports,
    idOf: ({ tmpId }) => tmpId,
    laneOf: ({ chatKey }) => chatKey,
    isWaiting: ({ failed }) => !failed,
    load,
    save: (outbox, removedOutbox) => database.save({ outbox, removedOutbox }),
    send: post,
    onUnanswered: (entry) => showSending(entry, "waiting"),
    onRefused(entry, failure) {
      showSending(entry, "failed", failure);
      return { ...entry, failed: true, failure };
    },
  });

  function showLocalEchoes(entries: readonly OutboxEntry[]): void {
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

  async function load(): Promise<OutboxEntry[]> {
    // Entries of an older version lack the extras of a text.
    const stored = (await database.outbox()).map((entry) => ({ ...NO_EXTRAS, ...entry }));
    const broken = stored.filter((entry) => !isComplete(entry));
    if (broken.length > 0) database.save({ removedOutbox: broken.map(({ tmpId }) => tmpId) });
    return stored.filter(isComplete).sort((a, b) => a.createdAt - b.createdAt);
  }

  function send(key: ChatKey, type: number, content: string, extras = NO_EXTRAS): void {
    const entry: OutboxEntry = {
      tmpId: ports.random.id(),
      chatKey: key,
      type,
      content,
      ...extras,
      // Entries written in the same moment keep their order through a reload.
      createdAt: Math.max(ports.clock.now(), ...queue.entries().map(({ createdAt }) => createdAt + 1)),
      failed: false,
      failure: null,
    };
    stateStore.batch(() => {
      showLocalEchoes([entry]);
      void queue.put(entry);
    });
    // From the first moment a message must survive the closing of its tab.
    void database.flush();
  }

  async function post(entry: OutboxEntry): Promise<Failure | null> {
    showSending(entry, "sending");
    const chatApi = chatApiOf(api, entry.chatKey);
    if (chatApi === null) return NOT_SENDABLE;
    const { type, content, tmpId, quote, atUserIds, receipt } = entry;
    const quoteMessageId = quote?.id ?? null;
    const result = await chatApi.send({ type, content, tmpId, quoteMessageId, atUserIds, receipt });
    if (!result.ok) return result.failure;
    const incoming = readChatRow(chatApi.type, entry.chatKey, result.value, me);
    // The row confirms the entry by its tmpId.
    if (incoming.kind === "chat") chatStore.dispatch([incoming.input]);
    return null;
  }

  return {
    restore: queue.restore,
    showLocalEchoes: () => showLocalEchoes(queue.entries()),
    sendText(key, text, extras) {
      if (text.trim() !== "") send(key, MessageType.TEXT, text, extras);
    },
    send: (key, type, content) => send(key, type, content),
    resend(key, tmpId) {
      const entry = queue.entries().find((candidate) => candidate.tmpId === tmpId);
      if (entry === undefined || !entry.failed) return;
      stateStore.batch(() => {
        showSending(entry, "waiting");
        void queue.put({ ...entry, failed: false, failure: null });
      });
    },
    discard(key, tmpId) {
      stateStore.batch(() => {
        queue.remove([tmpId]);
        chatStore.dispatch([{ kind: "discard", key, tmpId }]);
      });
    },
    retry: queue.retry,
    confirm: queue.remove,
    reset(isOtherServer) {
      if (!isOtherServer) return showLocalEchoes(queue.entries());
      const entries = queue.entries().map((entry) => ({ ...entry, quote: null }));
      showLocalEchoes(entries);
      for (const entry of entries) void queue.put(entry);
    },
  };
}

/** The failure of writing to a chat that does not accept messages, such as the system chat. */
export const NOT_SENDABLE: Failure = {
  kind: "refused",
  code: 0,
  key: "message.typeNotAllowed",
  params: {},
  message: "",
};

/** A damaged database may hold anything. */
function isComplete({ chatKey, content }: OutboxEntry): boolean {
  return parseChatKey(chatKey) !== null && typeof content === "string";
}
