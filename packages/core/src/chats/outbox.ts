import { ChatType, GroupRole, MessageStatus, MessageType } from "@parley/protocol/codes";
import type { QuoteMessage } from "@parley/protocol/message";
import { readChatRow } from "../model/connection/read-frame.ts";
import { parseChatKey } from "../model/chats/chat-rows.ts";
import type { ChatKey, ChatMessage, DraftQuote, Failure, GroupPart } from "../model/state.ts";
import type { Api } from "../connection/api.ts";
import type { ChatStore } from "./chat-store.ts";
import type { LocalDatabase } from "../storage/local-database.ts";
import type { OutboxEntry, Ports } from "../ports.ts";
import type { StateStore } from "../state-store.ts";
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

const RETRY_MS = 5_000;

/** What the outbox needs. */
export interface OutboxDeps {
  ports: Ports;
  api: Api;
  stateStore: StateStore;
  database: LocalDatabase;
  chatStore: ChatStore;
  /** The id of the person signed in. */
  me: number;
}

/** Creates the outbox of one session. */
export function createOutbox({ ports, api, stateStore, database, chatStore, me }: OutboxDeps): Outbox {
  let entries: OutboxEntry[] = [];
  const inFlight = new Set<ChatKey>();
  let cancelRetry: (() => void) | null = null;
  let lastCreatedAt = 0;

  function showLocalEcho(entry: OutboxEntry): void {
    chatStore.dispatch([
      { kind: "localEcho", key: entry.chatKey, message: localEchoOf(entry, senderOf(entry)) },
    ]);
  }

  /** The sender as others will see it: in a group with the name that the user has there. */
  function senderOf({ chatKey, atUserIds, receipt }: OutboxEntry): Sender {
    const { me: user, groups } = stateStore.get();
    const target = parseChatKey(chatKey);
    const nickName = user?.nickName ?? "";
    if (target?.type !== ChatType.GROUP) return { userId: me, nickName, group: null };
    const group = groups.byId[target.targetId];
    const sendRole = group?.role ?? GroupRole.MEMBER;
    return {
      userId: me,
      nickName: group?.showNickName || nickName,
      group: { sendRole, atUserIds, receipt, receiptOk: false, readedCount: 0 },
    };
  }

  function saveEntry(entry: OutboxEntry): void {
    entries = entries.some((other) => other.tmpId === entry.tmpId)
      ? entries.map((other) => (other.tmpId === entry.tmpId ? entry : other))
      : [...entries, entry];
    database.save({ outbox: [entry] });
  }

  function removeEntries(tmpIds: readonly string[]): void {
    const removedIds = tmpIds.filter((tmpId) => entries.some((entry) => entry.tmpId === tmpId));
    if (removedIds.length === 0) return;
    entries = entries.filter((entry) => !removedIds.includes(entry.tmpId));
    database.save({ removedOutbox: removedIds });
  }

  function send(key: ChatKey, type: number, content: string, extras = NO_EXTRAS): void {
    // Entries written in the same moment keep their order through a reload.
    lastCreatedAt = Math.max(ports.clock.now(), lastCreatedAt + 1);
    const entry: OutboxEntry = {
      tmpId: ports.random.id(),
      chatKey: key,
      type,
      content,
      ...extras,
      createdAt: lastCreatedAt,
      failed: false,
      failure: null,
    };
    stateStore.batch(() => {
      saveEntry(entry);
      showLocalEcho(entry);
      sendNext(key);
    });
    // From the first moment a message must survive the closing of its tab.
    void database.flush();
  }

  function sendNext(key: ChatKey): void {
    if (inFlight.has(key) || !ports.environment.hasNetwork()) return;
    const entry = entries.find((candidate) => candidate.chatKey === key && !candidate.failed);
    if (entry === undefined) return;
    inFlight.add(key);
    chatStore.dispatch([{ kind: "sending", key, tmpId: entry.tmpId, sending: "sending", failure: null }]);
    void post(entry).then((failure) => {
      inFlight.delete(key);
      if (failure === null) return sendNext(key);
      handleFailure(entry, failure);
    });
  }

  async function post(entry: OutboxEntry): Promise<Failure | null> {
    const chatApi = chatApiOf(api, entry.chatKey);
    if (chatApi === null) return NOT_SENDABLE;
    const { type, content, tmpId, quote, atUserIds, receipt } = entry;
    const quoteMessageId = quote?.id ?? null;
    const result = await chatApi.send({ type, content, tmpId, quoteMessageId, atUserIds, receipt });
    if (!result.ok) return result.failure;
    const incoming = readChatRow(chatApi.type, entry.chatKey, result.value, me);
    // Usually the row confirms the entry by its tmpId. `removeEntries` ends it in any case.
    stateStore.batch(() => {
      if (incoming.kind === "chat") chatStore.dispatch([incoming.input]);
      removeEntries([tmpId]);
    });
    return null;
  }

  function handleFailure(entry: OutboxEntry, failure: Failure): void {
    const isStillThere = entries.some((other) => other.tmpId === entry.tmpId);
    if (!isStillThere) return sendNext(entry.chatKey);
    if (isFinal(failure)) {
      saveEntry({ ...entry, failed: true, failure });
      chatStore.dispatch([
        { kind: "sending", key: entry.chatKey, tmpId: entry.tmpId, sending: "failed", failure },
      ]);
      return sendNext(entry.chatKey);
    }
    chatStore.dispatch([
      { kind: "sending", key: entry.chatKey, tmpId: entry.tmpId, sending: "waiting", failure: null },
    ]);
    cancelRetry ??= ports.clock.after(RETRY_MS, () => {
      cancelRetry = null;
      retry();
    });
  }

  function retry(): void {
    for (const key of new Set(entries.map((entry) => entry.chatKey))) sendNext(key);
  }

  return {
    async restore() {
      // Entries of an older version lack the extras of a text.
      const stored = (await database.outbox()).map((entry) => ({ ...NO_EXTRAS, ...entry }));
      const complete = stored.filter(isComplete);
      const broken = stored.filter((entry) => !isComplete(entry));
      if (broken.length > 0) database.save({ removedOutbox: broken.map(({ tmpId }) => tmpId) });
      // Messages written while the database was being opened are not saved yet.
      if (entries.length > 0) database.save({ outbox: entries });
      // Messages written while it was read come last; some of them may have been read with the rest.
      const waiting = complete.filter(({ tmpId }) => entries.every((entry) => entry.tmpId !== tmpId));
      waiting.sort((a, b) => a.createdAt - b.createdAt);
      entries = [...waiting, ...entries];
      lastCreatedAt = Math.max(lastCreatedAt, waiting.at(-1)?.createdAt ?? 0);
    },
    showLocalEchoes() {
      for (const entry of entries) showLocalEcho(entry);
    },
    sendText(key, text, extras) {
      if (text.trim() !== "") send(key, MessageType.TEXT, text, extras);
    },
    send: (key, type, content) => send(key, type, content),
    resend(key, tmpId) {
      const entry = entries.find((candidate) => candidate.tmpId === tmpId);
      if (entry === undefined || !entry.failed) return;
      stateStore.batch(() => {
        saveEntry({ ...entry, failed: false, failure: null });
        chatStore.dispatch([{ kind: "sending", key, tmpId, sending: "waiting", failure: null }]);
        sendNext(key);
      });
    },
    discard(key, tmpId) {
      stateStore.batch(() => {
        removeEntries([tmpId]);
        chatStore.dispatch([{ kind: "discard", key, tmpId }]);
      });
    },
    retry,
    confirm: removeEntries,
    reset(isOtherServer) {
      if (isOtherServer) {
        entries = entries.map((entry) => ({ ...entry, quote: null }));
        database.save({ outbox: entries });
      }
      for (const entry of entries) showLocalEcho(entry);
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

const HTTP_TOO_MANY_REQUESTS = 429;
const HTTP_SERVER_ERROR = 500;

/** A refusal stays the same however often the message is sent; any other failure may be temporary. */
function isFinal(failure: Failure): boolean {
  switch (failure.kind) {
    case "refused":
      return true;
    case "http":
      return failure.status < HTTP_SERVER_ERROR && failure.status !== HTTP_TOO_MANY_REQUESTS;
    case "network":
    case "loggedOut":
      return false;
    default:
      return failure satisfies never;
  }
}

function quoteOf({ id, sendId, content, type }: DraftQuote): QuoteMessage {
  return { id, sendId, content, type, status: MessageStatus.SENDED };
}

interface Sender {
  readonly userId: number;
  readonly nickName: string;
  readonly group: GroupPart | null;
}

function localEchoOf(entry: OutboxEntry, { userId, nickName, group }: Sender): ChatMessage {
  const { quote } = entry;
  return {
    key: entry.tmpId,
    id: null,
    tmpId: entry.tmpId,
    type: entry.type,
    sendId: userId,
    sendNickName: nickName,
    content: entry.content,
    sendTime: entry.createdAt,
    status: MessageStatus.UNSEND,
    selfSend: true,
    sending: entry.failed ? "failed" : "waiting",
    failure: entry.failure,
    quoteMessage: quote === null ? null : quoteOf(quote),
    isEdited: false,
    editedAt: null,
    tip: null,
    act: null,
    hasTimeTip: false,
    system: null,
    group,
  };
}
