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
 * One's own messages on their way. Each is shown and kept at once; those of one chat go out one at a time, in order. Without an answer a
 * message waits and goes out again under the same tmpId, so that it is stored once however often it is sent; a refusal makes it failed.
 */
export interface Outbox {
  /** Reads what waited before a reload; `show` shows it, once the chats are there. */
  restore(): Promise<void>;
  showLocalEchoes(): void;
  /** Blank text does nothing. */
  sendText(key: ChatKey, text: string, extras: TextExtras): void;
  send(key: ChatKey, type: number, content: string): void;
  resend(key: ChatKey, tmpId: string): void;
  discard(key: ChatKey, tmpId: string): void;
  /** The network may be back. */
  retry(): void;
  /** The server has these, whichever way this client came to know. */
  confirm(tmpIds: readonly string[]): void;
  /** The chats were emptied: what is on its way shows up again. `isOtherServer`: without quotes of what is gone. */
  reset(isOtherServer: boolean): void;
  forget(): void;
}

/** What a text takes along. */
export interface TextExtras {
  readonly quote: DraftQuote | null;
  /** Groups: whom it names, each once; -1 is everyone. */
  readonly atUserIds: readonly number[];
  /** Groups: whether its sender asks who reads it. */
  readonly receipt: boolean;
}

const NO_EXTRAS: TextExtras = { quote: null, atUserIds: [], receipt: false };

const RETRY_MS = 5_000;

export interface OutboxDeps {
  ports: Ports;
  api: Api;
  stateStore: StateStore;
  database: LocalDatabase;
  chatStore: ChatStore;
}

export function createOutbox({ ports, api, stateStore, database, chatStore }: OutboxDeps): Outbox {
  let entries: OutboxEntry[] = [];
  const inFlight = new Set<ChatKey>();
  let cancelRetry: (() => void) | null = null;
  let lastCreatedAt = 0;
  /** Rises when another person logs in; answers for the one before are dropped. */
  let sessionNumber = 0;

  function showLocalEcho(entry: OutboxEntry): void {
    chatStore.dispatch([
      { kind: "localEcho", key: entry.chatKey, message: localEchoOf(entry, sender(entry)) },
    ]);
  }

  /** Whom the message is from, as the other ones will see it: in a group under the name that one has there. */
  function sender({ chatKey, atUserIds, receipt }: OutboxEntry): Sender {
    const { me, groups } = stateStore.get();
    const target = parseChatKey(chatKey);
    const user = { userId: currentUser(), nickName: me?.nickName ?? "" };
    if (target?.type !== ChatType.GROUP) return { ...user, group: null };
    const group = groups.byId[target.targetId];
    const sendRole = group?.role ?? GroupRole.MEMBER;
    return {
      userId: user.userId,
      nickName: group?.showNickName || user.nickName,
      group: { sendRole, atUserIds, receipt, receiptOk: false, readedCount: 0 },
    };
  }

  function currentUser(): number {
    const { session } = stateStore.get();
    return session.kind === "anonymous" ? 0 : session.userId;
  }

  function put(entry: OutboxEntry): void {
    entries = entries.some((known) => known.tmpId === entry.tmpId)
      ? entries.map((known) => (known.tmpId === entry.tmpId ? entry : known))
      : [...entries, entry];
    database.save({ outbox: [entry] });
  }

  function removeEntries(tmpIds: readonly string[]): void {
    const known = tmpIds.filter((tmpId) => entries.some((entry) => entry.tmpId === tmpId));
    if (known.length === 0) return;
    entries = entries.filter((entry) => !known.includes(entry.tmpId));
    database.save({ removedOutbox: known });
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
      put(entry);
      showLocalEcho(entry);
      sendNext(key);
    });
    // A message must outlive its tab from the first moment.
    void database.flush();
  }

  function sendNext(key: ChatKey): void {
    if (inFlight.has(key) || !ports.environment.hasNetwork()) return;
    const entry = entries.find((candidate) => candidate.chatKey === key && !candidate.failed);
    if (entry === undefined) return;
    inFlight.add(key);
    const startSession = sessionNumber;
    chatStore.dispatch([{ kind: "sending", key, tmpId: entry.tmpId, sending: "sending", failure: null }]);
    void post(entry).then((failure) => {
      if (startSession !== sessionNumber) return;
      inFlight.delete(key);
      if (failure === null) return sendNext(key);
      handleFailure(entry, failure);
    });
  }

  async function post(entry: OutboxEntry): Promise<Failure | null> {
    const chatApi = chatApiOf(api, entry.chatKey);
    if (chatApi === null) return NOT_SENDABLE;
    const { type, content, tmpId, quote, atUserIds, receipt } = entry;
    const startSession = sessionNumber;
    const quoteMessageId = quote?.id ?? null;
    const result = await chatApi.send({ type, content, tmpId, quoteMessageId, atUserIds, receipt });
    if (!result.ok) return result.failure;
    if (startSession !== sessionNumber) return null;
    const incoming = readChatRow(chatApi.type, entry.chatKey, result.value, currentUser());
    // Never without an end: the row names its tmpId, and so confirms the entry.
    stateStore.batch(() => {
      if (incoming.kind === "chat") chatStore.dispatch([incoming.input]);
      removeEntries([tmpId]);
    });
    return null;
  }

  function handleFailure(entry: OutboxEntry, failure: Failure): void {
    const isStillThere = entries.some((known) => known.tmpId === entry.tmpId);
    if (!isStillThere) return sendNext(entry.chatKey);
    if (isFinal(failure)) {
      put({ ...entry, failed: true, failure });
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
      // Entries of an older version know nothing of what goes beside a text.
      const found = (await database.outbox()).map((entry) => ({ ...NO_EXTRAS, ...entry }));
      const complete = found.filter(isComplete);
      const broken = found.filter((entry) => !isComplete(entry));
      if (broken.length > 0) database.save({ removedOutbox: broken.map(({ tmpId }) => tmpId) });
      // What was written while the disk was opened is on no disk yet.
      if (entries.length > 0) database.save({ outbox: entries });
      // What was written while it was read comes behind, and may have been read with the rest.
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
      const entry = entries.find((known) => known.tmpId === tmpId);
      if (entry === undefined || !entry.failed) return;
      stateStore.batch(() => {
        put({ ...entry, failed: false, failure: null });
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
    forget() {
      sessionNumber++;
      entries = [];
      inFlight.clear();
      cancelRetry?.();
      cancelRetry = null;
    },
  };
}

/** Kinds of chats that cannot be written to (yet). */
export const NOT_SENDABLE: Failure = {
  kind: "refused",
  code: 0,
  key: "message.typeNotAllowed",
  params: {},
  message: "",
};

/** A broken disk may hold anything. */
function isComplete({ chatKey, content }: OutboxEntry): boolean {
  return parseChatKey(chatKey) !== null && typeof content === "string";
}

const HTTP_TOO_MANY_REQUESTS = 429;
const HTTP_SERVER_ERROR = 500;

/** A refusal stays one however often it is asked; anything else may go away by itself. */
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
