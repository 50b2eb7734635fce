import { MessageType } from "@parley/protocol/codes";
import { isVisible } from "@parley/protocol/text";
import type { ChatKey, Failure, OutboxEntry, PendingUpload } from "../model/state.ts";
import { sizeFailure } from "../model/uploads/upload-limits.ts";
import type { SessionEvents } from "../session-events.ts";
import type { ChatDeps } from "./chat-store.ts";
import { chatApiOf } from "./chat-api.ts";
import { createOutboxEntries, NO_EXTRAS, type TextExtras } from "./outbox-entries.ts";
import { createOutboxTabs } from "./outbox-tabs.ts";
import { createOutboxUploads } from "./outbox-uploads.ts";
import type { LocalFile } from "./outgoing-file.ts";
import { sendMessage } from "./send-message.ts";
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
  /** Sends files, one message each. */
  sendFiles(key: ChatKey, files: readonly FileToSend[]): void;
  /** Whether a message is on its way at this moment. */
  isSending(): boolean;
  /** The page is closed: another tab may send what this one has not sent. */
  handOver(): void;
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

/** Creates the outbox of one session. */
export function createOutbox(deps: OutboxDeps): Outbox {
  const { ports, api, stateStore, database, chatStore, uploads, me, clientId } = deps;
  let onTheirWay = 0;
  const entries = createOutboxEntries({ ...deps, send: post });
  const { upload, uploadAgain } = createOutboxUploads({
    ports,
    database,
    uploads,
    entryOf: entries.get,
    showSending: entries.showSending,
    replace: entries.replace,
  });
  const tabs = createOutboxTabs({
    ports,
    me,
    tab: clientId,
    entries: entries.all,
    hasFile: uploads.has,
    isRestored: entries.isRestored,
    onLeft: entries.leave,
    onDiscarded: discard,
    takeOver,
  });

  /** The person does not want these sent. */
  function discard(unwanted: readonly OutboxEntry[]): void {
    entries.discard(unwanted);
    for (const { tmpId } of unwanted) uploads.discard(tmpId);
  }

  /** Another tab would have sent these. What it has saved is the truth. */
  async function takeOver(isLeft: (entry: OutboxEntry) => boolean): Promise<void> {
    const left = (await entries.saved()).filter(isLeft);
    stateStore.batch(() => {
      for (const entry of left)
        if (entries.get(entry.tmpId) === undefined) entries.put({ ...entry, tab: clientId });
    });
  }

  function send(key: ChatKey, type: number, content: string, extras?: TextExtras): void {
    entries.put({ ...entries.create(key, type, extras), content });
    // From the first moment a message must survive the closing of its tab.
    void database.flush();
  }

  function tooLargeFailure({ type, upload: pending }: OutboxEntry): Failure | null {
    return pending === null ? null : sizeFailure(type, pending.size, stateStore.get().config);
  }

  async function post(entry: OutboxEntry): Promise<Failure | null> {
    if (entry.upload !== null) {
      const failure = await upload(entry);
      // When the upload has ended, another entry is in the place of this one. This one never counts as sent.
      return failure ?? (entries.get(entry.tmpId) === entry ? NOT_UPLOADED : null);
    }
    entries.showSending(entry, "sending");
    const chatApi = chatApiOf(api, entry.chatKey);
    if (chatApi === null) return NOT_SENDABLE;
    const { type, content, tmpId, quote, atUserIds, receipt } = entry;
    const message = { type, content, tmpId, quoteMessageId: quote?.id ?? null, atUserIds, receipt };
    onTheirWay++;
    // The row confirms the entry by its tmpId.
    return sendMessage({ chatApi, chatStore, me }, entry.chatKey, message).finally(() => onTheirWay--);
  }

  const actions: OutboxActions = {
    resend(key, tmpId) {
      const entry = entries.get(tmpId);
      if (entry === undefined || !entry.failed) return;
      if (entry.upload !== null && !uploads.has(tmpId)) return;
      const waiting: OutboxEntry = {
        ...entry,
        failed: false,
        failure: null,
        ...(isFileGone(entry) && uploadAgain(entry)),
      };
      if (tooLargeFailure(waiting) !== null) return;
      entries.replace(waiting, "waiting");
      if (waiting.upload !== null) void upload(waiting);
    },
    discard(_key, tmpId) {
      const entry = entries.get(tmpId);
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
      await entries.restore();
    },
    showLocalEchoes() {
      entries.show(entries.all());
      if (entries.all().length > 0) tabs.ask();
    },
    sendText(key, text, extras) {
      if (isVisible(text)) send(key, MessageType.TEXT, text, extras);
    },
    send: (key, type, content) => send(key, type, content),
    sendFiles(key, files) {
      stateStore.batch(() => {
        for (const { tmpId, type, upload: pendingUpload, files: localFiles } of files) {
          const unchecked: OutboxEntry = {
            ...entries.create(key, type, NO_EXTRAS, tmpId),
            upload: pendingUpload,
          };
          const failure = tooLargeFailure(unchecked);
          const entry: OutboxEntry = { ...unchecked, failed: failure !== null, failure };
          uploads.add(entry.tmpId, pendingUpload, localFiles);
          entries.put(entry);
          if (failure === null) void upload(entry);
        }
      });
      void database.flush();
    },
    isSending: () => onTheirWay > 0,
    retry() {
      entries.retry();
      for (const entry of entries.all()) if (entry.upload !== null && !entry.failed) void upload(entry);
    },
    confirm(tmpIds) {
      entries.confirm(tmpIds);
      uploads.release(tmpIds);
    },
    handOver() {
      // Other tabs read what is saved.
      void database.flush();
      tabs.handOver();
    },
    reset(isOtherServer) {
      // The chats were emptied. In another database there are no quotes either.
      if (!isOtherServer) return entries.show(entries.all());
      // The other server does not have the uploaded files either.
      const changed = entries.all().map((entry) => ({ ...entry, quote: null, ...uploadAgain(entry) }));
      entries.show(changed);
      changed.forEach(entries.save);
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

/** The server has deleted the uploaded files, because the message took too long. */
function isFileGone({ failure }: OutboxEntry): boolean {
  return failure?.kind === "refused" && failure.key === "file.notIssued";
}
