import { MessageType } from "@parley/protocol/codes";
import { parseChatKey } from "../model/chats/chat-rows.ts";
import { localEchoOf } from "../model/chats/local-echoes.ts";
import type { ChatKey, DraftQuote, Failure, OutboxEntry, PendingUpload, Sending } from "../model/state.ts";
import { isPendingUpload, restoredEntry } from "../model/uploads/restored-upload.ts";
import { sizeFailure } from "../model/uploads/upload-limits.ts";
import type { LocalFile } from "../client-api.ts";
import type { ChatDeps } from "./chat-store.ts";
import { createDurableQueue } from "../storage/durable-queue.ts";
import { chatApiOf } from "./chat-api.ts";
import { createOutboxTabs } from "./outbox-tabs.ts";
import { createOutboxUploads } from "./outbox-uploads.ts";
import { sendMessage } from "./send-message.ts";
import type { FileUploads } from "./uploads.ts";

/**
 * The user's messages that are not confirmed yet. Each is shown and saved at once; those of one chat are sent one at a time, in order.
 * Without an answer a message is sent again with the same tmpId, so that it is stored once however often it is sent. A refusal fails it.
 * Files are uploaded before their message is sent, also ahead of its turn. An upload that fails, fails its message.
 */
export interface Outbox {
  /** Reads the messages that waited before a reload; `showLocalEchoes` shows them, once the chats are loaded. */
  restore(): Promise<void>;
  showLocalEchoes(): void;
  /** Blank text does nothing. */
  sendText(key: ChatKey, text: string, extras: TextExtras): void;
  send(key: ChatKey, type: number, content: string): void;
  /** Sends files, one message each. */
  sendFiles(key: ChatKey, files: readonly FileToSend[]): void;
  resend(key: ChatKey, tmpId: string): void;
  discard(tmpId: string): void;
  /** Whether a message is on its way at this moment. */
  isSending(): boolean;
  /** The network may be back. */
  retry(): void;
  /** The server has stored these; this may be known from an answer, a push or a pull. */
  confirm(tmpIds: readonly string[]): void;
  /** The page is closed: another tab may send what this one has not sent. */
  handOver(): void;
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
/** What entries of older versions may lack. */
const OLD_ENTRY: Partial<OutboxEntry> = { ...NO_EXTRAS, upload: null, tab: null };

/** A file to send. */
export interface FileToSend {
  /** The same file that is sent in two tabs at the same moment is one message. Left out: a new one. */
  readonly tmpId?: string;
  readonly type: number;
  readonly upload: PendingUpload;
  /** The files, which may still have to be read; null: this device has lost them. */
  readonly files: LocalFile | Promise<LocalFile | null>;
}

/** What the outbox needs. */
export interface OutboxDeps extends ChatDeps {
  readonly uploads: FileUploads;
  /** Names this tab. */
  readonly clientId: string;
}

/** Creates the outbox of one session. */
export function createOutbox(deps: OutboxDeps): Outbox {
  const { ports, api, stateStore, database, chatStore, uploads, me, clientId } = deps;
  let onTheirWay = 0;
  /** The messages that were read from the local database, by tmpId: an earlier page or another tab has written them. */
  const restored = new Set<string>();
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

  const { upload, uploadAgain } = createOutboxUploads({
    ports,
    database,
    uploads,
    entryOf,
    showSending,
    replace,
  });
  const tabs = createOutboxTabs({
    ports,
    me,
    tab: clientId,
    entries: queue.entries,
    hasFile: uploads.has,
    isRestored: (tmpId) => restored.has(tmpId),
    onLeft(entries) {
      queue.leaveTo(entries.map(({ tmpId }) => tmpId));
      hide(entries);
    },
    onDiscarded: forget,
    takeOver,
  });

  /** The person does not want these sent. */
  function forget(entries: readonly OutboxEntry[]): void {
    queue.remove(entries.map(({ tmpId }) => tmpId));
    for (const { tmpId } of entries) uploads.discard(tmpId);
    hide(entries);
  }

  function hide(entries: readonly OutboxEntry[]): void {
    chatStore.dispatch(entries.map(({ chatKey: key, tmpId }) => ({ kind: "discard", key, tmpId })));
  }

  /** Another tab would have sent these. What it has saved is the truth. */
  async function takeOver(isLeft: (entry: OutboxEntry) => boolean): Promise<void> {
    const entries = (await load()).filter(isLeft);
    stateStore.batch(() => {
      for (const entry of entries) if (entryOf(entry.tmpId) === undefined) put({ ...entry, tab: clientId });
    });
  }

  async function load(): Promise<OutboxEntry[]> {
    const saved = (await database.outbox()).map((entry) => ({ ...OLD_ENTRY, ...entry }));
    // Not saved: the tab that has the file may still be uploading it.
    const stored = saved.map(restoredEntry);
    const broken = stored.filter((entry) => !isComplete(entry));
    if (broken.length > 0) database.save({ removedOutbox: broken.map(({ tmpId }) => tmpId) });
    for (const { tmpId } of stored) if (entryOf(tmpId) === undefined) restored.add(tmpId);
    return stored.filter(isComplete).sort((a, b) => a.createdAt - b.createdAt);
  }

  function send(key: ChatKey, type: number, content: string, extras = NO_EXTRAS): void {
    put({ ...newEntry(key, type, extras), content });
    // From the first moment a message must survive the closing of its tab.
    void database.flush();
  }

  function newEntry(key: ChatKey, type: number, extras: TextExtras, tmpId = ports.random.id()): OutboxEntry {
    return {
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
    };
  }

  function put(entry: OutboxEntry): void {
    stateStore.batch(() => {
      showLocalEchoes([entry]);
      void queue.put(entry);
    });
  }

  function entryOf(tmpId: string): OutboxEntry | undefined {
    return queue.entries().find((candidate) => candidate.tmpId === tmpId);
  }

  function tooLargeFailure({ type, upload: pending }: OutboxEntry): Failure | null {
    return pending === null ? null : sizeFailure(type, pending.size, stateStore.get().config);
  }

  /** Shows an entry and puts it in the place of the one with the same tmpId. */
  function replace(entry: OutboxEntry, sending: Sending): void {
    const { chatKey: key, tmpId, content, upload: pending, failure } = entry;
    stateStore.batch(() => {
      chatStore.dispatch([{ kind: "upload", key, tmpId, content, upload: pending }]);
      showSending(entry, sending, failure);
      void queue.put(entry);
    });
  }

  async function post(entry: OutboxEntry): Promise<Failure | null> {
    if (entry.upload !== null) {
      const failure = await upload(entry);
      // When the upload has ended, another entry is in the place of this one. This one never counts as sent.
      return failure ?? (entryOf(entry.tmpId) === entry ? NOT_UPLOADED : null);
    }
    showSending(entry, "sending");
    const chatApi = chatApiOf(api, entry.chatKey);
    if (chatApi === null) return NOT_SENDABLE;
    const { type, content, tmpId, quote, atUserIds, receipt } = entry;
    const message = { type, content, tmpId, quoteMessageId: quote?.id ?? null, atUserIds, receipt };
    onTheirWay++;
    // The row confirms the entry by its tmpId.
    return sendMessage({ chatApi, chatStore, me }, entry.chatKey, message).finally(() => onTheirWay--);
  }

  return {
    async restore() {
      // What other tabs leave from now on is taken over; what they have left before is read here.
      tabs.start();
      await queue.restore();
    },
    showLocalEchoes() {
      showLocalEchoes(queue.entries());
      if (queue.entries().length > 0) tabs.ask();
    },
    sendText(key, text, extras) {
      if (text.trim() !== "") send(key, MessageType.TEXT, text, extras);
    },
    send: (key, type, content) => send(key, type, content),
    sendFiles(key, files) {
      stateStore.batch(() => {
        for (const { tmpId, type, upload: pendingUpload, files: localFiles } of files) {
          const unchecked: OutboxEntry = {
            ...newEntry(key, type, NO_EXTRAS, tmpId),
            upload: pendingUpload,
          };
          const failure = tooLargeFailure(unchecked);
          const entry: OutboxEntry = { ...unchecked, failed: failure !== null, failure };
          uploads.keep(entry.tmpId, pendingUpload, localFiles);
          put(entry);
          if (failure === null) void upload(entry);
        }
      });
      void database.flush();
    },
    resend(key, tmpId) {
      const entry = entryOf(tmpId);
      if (entry === undefined || !entry.failed) return;
      if (entry.upload !== null && !uploads.has(tmpId)) return;
      const waiting: OutboxEntry = {
        ...entry,
        failed: false,
        failure: null,
        ...(isFileGone(entry) && uploadAgain(entry)),
      };
      if (tooLargeFailure(waiting) !== null) return;
      replace(waiting, "waiting");
      if (waiting.upload !== null) void upload(waiting);
    },
    discard(tmpId) {
      const entry = entryOf(tmpId);
      // A message that is being sent may be stored already. Its answer would bring it back.
      if (entry === undefined || (!entry.failed && entry.upload === null)) return;
      stateStore.batch(() => forget([entry]));
      tabs.discarded(tmpId);
    },
    isSending: () => onTheirWay > 0,
    retry() {
      queue.retry();
      for (const entry of queue.entries()) if (entry.upload !== null && !entry.failed) void upload(entry);
    },
    confirm(tmpIds) {
      queue.remove(tmpIds);
      uploads.release(tmpIds);
    },
    handOver() {
      // Other tabs read what is saved.
      void database.flush();
      tabs.handOver();
    },
    reset(isOtherServer) {
      if (!isOtherServer) return showLocalEchoes(queue.entries());
      // What was uploaded is not there either.
      const entries = queue.entries().map((entry) => ({ ...entry, quote: null, ...uploadAgain(entry) }));
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

/** An entry that has to wait for its upload once more. */
const NOT_UPLOADED: Failure = { kind: "network", reason: "offline" };

/** A damaged database may hold anything. */
function isComplete({ chatKey, content, upload }: OutboxEntry): boolean {
  return (
    parseChatKey(chatKey) !== null &&
    typeof content === "string" &&
    (upload === null || isPendingUpload(upload))
  );
}

/** The server has deleted the uploaded files, because the message took too long. */
function isFileGone({ failure }: OutboxEntry): boolean {
  return failure?.kind === "refused" && failure.key === "file.notIssued";
}
