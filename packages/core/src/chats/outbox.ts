import * as z from "zod/mini";
import { MessageType } from "@parley/protocol/codes";
import { type NewPoll, newPoll } from "@parley/protocol/poll";
import { isVisible } from "@parley/protocol/text";
import { localEchoOf } from "../model/chats/local-echoes.ts";
import { chatKey, draftQuote, failure as failureSchema, pendingUpload } from "../model/schemas.ts";
import type { ChatKey, DraftQuote, Failure, OutboxEntry, PendingUpload, Sending } from "../model/state.ts";
import { restoredEntry } from "../model/uploads/restored-upload.ts";
import { sizeFailure } from "../model/uploads/upload-limits.ts";
import type { SessionEvents } from "../session-events.ts";
import { createDurableQueue, mayPass } from "../storage/durable-queue.ts";
import { sendMessage } from "./chat-api.ts";
import type { ChatDeps } from "./chat-store.ts";
import { createOutboxTabs } from "./outbox-tabs.ts";
import type { LocalFile } from "./outgoing-file.ts";
import type { FileUploads } from "./uploads.ts";

/** What a person does with messages that are not sent. */
export interface OutboxActions {
  /** Sends a failed message again. A file that is lost (`fileLost`) cannot be sent again. */
  resend(key: ChatKey, tmpId: string): void;
  /** Discards a message that has failed or is being uploaded. A message that is being sent stays, because it may arrive. */
  discard(key: ChatKey, tmpId: string): void;
}

/**
 * The user's messages that are not confirmed yet. Each is shown and saved at once; those of one chat are sent one at a time, in order.
 * Without an answer a message is sent again with the same tmpId, so that it is stored once however often it is sent. A refusal fails it.
 * Files are uploaded before their message is sent, also ahead of its turn. An upload that fails, fails its message.
 */
export interface Outbox extends Pick<SessionEvents, "restore" | "retry" | "confirm" | "reset"> {
  readonly actions: OutboxActions;
  /** The chats are loaded: shows the messages that waited before a reload. */
  showLocalEchoes(): void;
  /** Blank text does nothing. */
  sendText(key: ChatKey, text: string, extras: TextExtras): void;
  send(key: ChatKey, type: number, content: string): void;
  sendPoll(key: ChatKey, question: string, poll: NewPoll): void;
  /** Sends files, one message each. */
  sendFiles(key: ChatKey, files: readonly FileToSend[]): void;
  /** Whether a message is on its way at this moment. */
  isSending(): boolean;
  /** The page is closed: another tab may send what this one has not sent. */
  handOver(): void;
}

/** What is sent together with a text. */
interface TextExtras {
  readonly quote: DraftQuote | null;
  /** Groups: the mentioned user ids, each once; -1 is everyone. */
  readonly atUserIds: readonly number[];
  /** Groups: whether to request read receipts. */
  readonly receipt: boolean;
}

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
  poll: z.optional(newPoll),
  createdAt: z.number(),
  failed: z.boolean(),
  failure: z.nullable(failureSchema),
});

/** An entry that has to wait for its upload once more. */
const NOT_UPLOADED: Failure = { kind: "network", reason: "offline" };

/** How long after a failed request the browser may notice that the network is gone. */
const NETWORK_LOSS_MS = 500;

/** Creates the outbox of one session: it decides and shows, a durable queue stores and repeats. */
export function createOutbox(deps: OutboxDeps): Outbox {
  const { ports, stateStore, database, chatStore, uploads, me, clientId } = deps;
  /** The entries that this tab has read from the local database: an earlier page or another tab has written them. */
  const restored = new Set<string>();
  /** The uploads that run or wait, by tmpId. */
  const uploading = new Map<string, Promise<Failure | null>>();
  let onTheirWay = 0;

  const queue = createDurableQueue<OutboxEntry>({
    ports,
    idOf: ({ tmpId }) => tmpId,
    laneOf: (entry) => entry.chatKey,
    isWaiting: ({ failed }) => !failed,
    load: readSaved,
    save: (outbox, removedOutbox) => database.save({ outbox, removedOutbox }),
    send: post,
    onUnanswered: (entry) => showSending(entry, "waiting"),
    onRefused(entry, failure) {
      showSending(entry, "failed", failure);
      return { ...entry, failed: true, failure };
    },
  });

  const tabs = createOutboxTabs({
    ports,
    me,
    tab: clientId,
    entries: queue.entries,
    hasFile: uploads.has,
    isRestored: (tmpId) => restored.has(tmpId),
    onLeft(left) {
      queue.leaveTo(left.map(({ tmpId }) => tmpId));
      hide(left);
    },
    onDiscarded: discard,
    takeOver,
  });

  /** A new entry, after all others. */
  function create(
    key: ChatKey,
    type: number,
    part: Partial<OutboxEntry>,
    tmpId = ports.random.id(),
  ): OutboxEntry {
    return {
      tmpId,
      tab: clientId,
      chatKey: key,
      type,
      content: "",
      upload: null,
      quote: null,
      atUserIds: [],
      receipt: false,
      // Entries written in the same moment keep their order through a reload.
      createdAt: Math.max(ports.clock.now(), ...queue.entries().map(({ createdAt }) => createdAt + 1)),
      failed: false,
      failure: null,
      ...part,
    };
  }

  /** Shows an entry, saves it, and sends it when its turn comes. */
  function put(entry: OutboxEntry): void {
    stateStore.batch(() => {
      show([entry]);
      void queue.put(entry);
    });
  }

  /** Shows an entry and puts it in the place of the one with the same tmpId. */
  function replace(entry: OutboxEntry, sending: Sending): void {
    const { chatKey: key, tmpId, content, upload, failure } = entry;
    stateStore.batch(() => {
      chatStore.dispatch([{ kind: "upload", key, tmpId, content, upload }]);
      showSending(entry, sending, failure);
      void queue.put(entry);
    });
  }

  function send(key: ChatKey, type: number, part: Partial<OutboxEntry>): void {
    put(create(key, type, part));
    // From the first moment a message must survive the closing of its tab.
    void database.flush();
  }

  /** The turn of an entry has come. Returns why it was not sent; null: it needs nothing more. */
  async function post(entry: OutboxEntry): Promise<Failure | null> {
    if (entry.upload !== null) {
      const failure = await uploadFiles(entry);
      // When the upload has ended, another entry is in the place of this one. This one never counts as sent.
      return failure ?? (queue.get(entry.tmpId) === entry ? NOT_UPLOADED : null);
    }
    showSending(entry, "sending");
    const { type, content, tmpId, quote, atUserIds, receipt, poll } = entry;
    const message = { type, content, tmpId, quoteMessageId: quote?.id ?? null, atUserIds, receipt, poll };
    onTheirWay++;
    // The row confirms the entry by its tmpId.
    return sendMessage(deps, entry.chatKey, message).finally(() => onTheirWay--);
  }

  /**
   * Uploads the files of an entry, also ahead of its turn, unless that is under way or there are none, and puts the entry with its content
   * in its place, or the failed entry. Returns the failure of an upload that has to be repeated when the network is back.
   */
  function uploadFiles(entry: OutboxEntry): Promise<Failure | null> {
    const { tmpId } = entry;
    const current = uploading.get(tmpId);
    if (current !== undefined) return current;
    const started = uploadNow(entry).finally(() => uploading.delete(tmpId));
    uploading.set(tmpId, started);
    return started;
  }

  async function uploadNow({ tmpId, type, upload }: OutboxEntry): Promise<Failure | null> {
    if (upload === null) return null;
    const result = await uploads.upload({ tmpId, type, upload }, () => {
      const entry = queue.get(tmpId);
      if (entry !== undefined) showSending(entry, "sending");
    });
    const hasNoAnswer = !result.ok && result.failure.kind === "network";
    if (hasNoAnswer && queue.get(tmpId) !== undefined) await waitForNetworkLoss();
    // It may have been discarded or confirmed during the upload.
    const entry = queue.get(tmpId);
    if (entry === undefined || entry.failed || entry.upload === null) return null;
    if (result.ok) {
      replace({ ...entry, content: result.value, upload: null }, "sending");
      // Save it now, so that the file need not be uploaded again after a reload.
      void database.flush();
      return null;
    }
    const { failure } = result;
    const isWaiting = mayPass(failure) && !ports.environment.hasNetwork();
    if (isWaiting || failure.kind === "loggedOut") {
      showSending(entry, "waiting");
      return failure;
    }
    replace({ ...entry, failed: true, failure }, "failed");
    return null;
  }

  /** A request may fail a moment before the browser notices that the network is gone. */
  function waitForNetworkLoss(): Promise<void> {
    return new Promise((resolve) => ports.clock.after(NETWORK_LOSS_MS, resolve));
  }

  function tooLargeFailure(type: number, upload: PendingUpload | null): Failure | null {
    return upload === null ? null : sizeFailure(type, upload.size, stateStore.get().config);
  }

  /** What an entry needs to be uploaded once more, because the server does not have its files; nothing if this page does not have them. */
  function uploadAgain({ tmpId, upload }: OutboxEntry): Partial<OutboxEntry> {
    const again = uploads.pendingOf(tmpId);
    return upload !== null || again === undefined ? {} : { content: "", upload: again };
  }

  /** Shows entries in their chats, as messages that are not confirmed. */
  function show(entries: readonly OutboxEntry[]): void {
    for (const entry of entries) {
      const message = localEchoOf(entry, me, stateStore.get());
      chatStore.dispatch([{ kind: "localEcho", key: entry.chatKey, message }]);
    }
  }

  function showSending(entry: OutboxEntry, sending: Sending, failure: Failure | null = null): void {
    const { chatKey: key, tmpId } = entry;
    chatStore.dispatch([{ kind: "sending", key, tmpId, sending, failure }]);
  }

  function hide(entries: readonly OutboxEntry[]): void {
    chatStore.dispatch(entries.map(({ chatKey: key, tmpId }) => ({ kind: "discard", key, tmpId })));
  }

  /** The person does not want these sent. */
  function discard(unwanted: readonly OutboxEntry[]): void {
    queue.remove(unwanted.map(({ tmpId }) => tmpId));
    hide(unwanted);
    for (const { tmpId } of unwanted) uploads.discard(tmpId);
  }

  /** What is saved, oldest first. Entries that no message can be made of are removed. */
  async function readSaved(): Promise<OutboxEntry[]> {
    const rows = await database.outbox();
    const readable = rows.flatMap((row) => outboxEntry.safeParse(row).data ?? []);
    const known = new Set(readable.map(({ tmpId }) => tmpId));
    const removedOutbox = rows.map(({ tmpId }) => tmpId).filter((tmpId) => !known.has(tmpId));
    if (removedOutbox.length > 0) database.save({ removedOutbox });
    for (const tmpId of known) if (queue.get(tmpId) === undefined) restored.add(tmpId);
    // Not saved: the tab that has the file may still be uploading it.
    return readable.map(restoredEntry).sort((a, b) => a.createdAt - b.createdAt);
  }

  /** Another tab would have sent these. What it has saved is the truth. */
  async function takeOver(isLeft: (entry: OutboxEntry) => boolean): Promise<void> {
    const left = (await readSaved()).filter(isLeft);
    stateStore.batch(() => {
      for (const entry of left) if (queue.get(entry.tmpId) === undefined) put({ ...entry, tab: clientId });
    });
  }

  const actions: OutboxActions = {
    resend(_key, tmpId) {
      const entry = queue.get(tmpId);
      if (entry === undefined || !entry.failed) return;
      if (entry.upload !== null && !uploads.has(tmpId)) return;
      const waiting: OutboxEntry = {
        ...entry,
        failed: false,
        failure: null,
        ...(isFileGone(entry) && uploadAgain(entry)),
      };
      if (tooLargeFailure(waiting.type, waiting.upload) !== null) return;
      replace(waiting, "waiting");
      if (waiting.upload !== null) void uploadFiles(waiting);
    },
    discard(_key, tmpId) {
      const entry = queue.get(tmpId);
      // A message that is being sent may be stored already. Its answer would bring it back.
      if (entry === undefined || (!entry.failed && entry.upload === null)) return;
      stateStore.batch(() => discard([entry]));
      tabs.discarded(tmpId);
    },
  };

  return {
    actions,
    async restore() {
      // What other tabs leave from now on is taken over; what they have left before is read here.
      tabs.start();
      await queue.restore();
    },
    showLocalEchoes() {
      show(queue.entries());
      if (queue.entries().length > 0) tabs.ask();
    },
    sendText(key, text, extras) {
      if (isVisible(text)) send(key, MessageType.TEXT, { ...extras, content: text });
    },
    send: (key, type, content) => send(key, type, { content }),
    sendPoll: (key, question, poll) => send(key, MessageType.TEXT, { content: question, poll }),
    sendFiles(key, files) {
      stateStore.batch(() => {
        for (const { tmpId, type, upload, files: localFiles } of files) {
          const failure = tooLargeFailure(type, upload);
          const entry = create(key, type, { upload, failed: failure !== null, failure }, tmpId);
          uploads.add(entry.tmpId, upload, localFiles);
          put(entry);
          if (failure === null) void uploadFiles(entry);
        }
      });
      void database.flush();
    },
    isSending: () => onTheirWay > 0,
    retry() {
      queue.retry();
      for (const entry of queue.entries())
        if (entry.upload !== null && !entry.failed) void uploadFiles(entry);
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
      // The chats were emptied. In another database there are no quotes either.
      if (!isOtherServer) return show(queue.entries());
      // The other server does not have the uploaded files either.
      const changed = queue.entries().map((entry) => ({ ...entry, quote: null, ...uploadAgain(entry) }));
      show(changed);
      for (const entry of changed) void queue.put(entry);
    },
  };
}

/** The server has deleted the uploaded files, because the message took too long. */
function isFileGone({ failure }: OutboxEntry): boolean {
  return failure?.kind === "refused" && failure.key === "file.notIssued";
}
