import { ChatType, GroupRole, MessageStatus, MessageType } from "@parley/protocol/codes";
import type { QuoteMessage } from "@parley/protocol/message";
import { readTalk } from "../model/incoming.ts";
import { parseChatKey } from "../model/rows.ts";
import type { ChatKey, ChatMessage, DraftQuote, Failure, GroupPart } from "../model/state.ts";
import type { Api } from "./api.ts";
import type { Desk } from "./desk.ts";
import type { Disk } from "./persist.ts";
import type { OutboxEntry, Ports } from "./ports.ts";
import type { Store } from "./store.ts";
import { talkIn } from "./talk-calls.ts";

/**
 * One's own messages on their way. Each is shown and kept at once; those of one chat go out one at a time, in order. Without an answer a
 * message waits and goes out again under the same tmpId, so that it is stored once however often it is sent; a refusal makes it failed.
 */
export interface Outbox {
  /** Reads what waited before a reload; `show` shows it, once the chats are there. */
  restore(): Promise<void>;
  show(): void;
  /** Blank text does nothing. */
  sendText(key: ChatKey, text: string, beside: Beside): void;
  send(key: ChatKey, type: number, content: string): void;
  resend(key: ChatKey, tmpId: string): void;
  discard(key: ChatKey, tmpId: string): void;
  /** The network may be back. */
  retry(): void;
  /** The server has these, whichever way this client came to know. */
  confirm(tmpIds: readonly string[]): void;
  /** The chats were emptied: what is on its way shows up again. `isOtherServer`: without quotes of what is gone. */
  startOver(isOtherServer: boolean): void;
  forget(): void;
}

/** What a text takes along. */
export interface Beside {
  readonly quote: DraftQuote | null;
  /** Groups: whom it names, each once; -1 is everyone. */
  readonly atUserIds: readonly number[];
  /** Groups: whether its sender asks who reads it. */
  readonly receipt: boolean;
}

const NOTHING_BESIDE: Beside = { quote: null, atUserIds: [], receipt: false };

const RETRY_MS = 5_000;

export interface OutboxDeps {
  ports: Ports;
  api: Api;
  store: Store;
  disk: Disk;
  desk: Desk;
}

export function createOutbox({ ports, api, store, disk, desk }: OutboxDeps): Outbox {
  let entries: OutboxEntry[] = [];
  const busy = new Set<ChatKey>();
  let cancelRetry: (() => void) | null = null;
  let lastCreatedAt = 0;
  /** Rises when another person logs in; answers for the one before are dropped. */
  let generation = 0;

  function echo(entry: OutboxEntry): void {
    desk.apply([{ kind: "echo", key: entry.chatKey, message: echoOf(entry, sender(entry)) }]);
  }

  /** Whom the message is from, as the other ones will see it: in a group under the name that one has there. */
  function sender({ chatKey, atUserIds, receipt }: OutboxEntry): Sender {
    const { me, groups } = store.get();
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
    const { session } = store.get();
    return session.kind === "anonymous" ? 0 : session.userId;
  }

  function put(entry: OutboxEntry): void {
    entries = entries.some((known) => known.tmpId === entry.tmpId)
      ? entries.map((known) => (known.tmpId === entry.tmpId ? entry : known))
      : [...entries, entry];
    disk.keep({ outbox: [entry] });
  }

  function drop(tmpIds: readonly string[]): void {
    const known = tmpIds.filter((tmpId) => entries.some((entry) => entry.tmpId === tmpId));
    if (known.length === 0) return;
    entries = entries.filter((entry) => !known.includes(entry.tmpId));
    disk.keep({ removedOutbox: known });
  }

  function send(key: ChatKey, type: number, content: string, beside = NOTHING_BESIDE): void {
    // Entries written in the same moment keep their order through a reload.
    lastCreatedAt = Math.max(ports.clock.now(), lastCreatedAt + 1);
    const entry: OutboxEntry = {
      tmpId: ports.random.id(),
      chatKey: key,
      type,
      content,
      ...beside,
      createdAt: lastCreatedAt,
      failed: false,
      failure: null,
    };
    store.batch(() => {
      put(entry);
      echo(entry);
      sendNext(key);
    });
    // A message must outlive its tab from the first moment.
    void disk.flush();
  }

  function sendNext(key: ChatKey): void {
    if (busy.has(key) || !ports.environment.hasNetwork()) return;
    const entry = entries.find((candidate) => candidate.chatKey === key && !candidate.failed);
    if (entry === undefined) return;
    busy.add(key);
    const sent = generation;
    desk.apply([{ kind: "sending", key, tmpId: entry.tmpId, sending: "sending", failure: null }]);
    void post(entry).then((failure) => {
      if (sent !== generation) return;
      busy.delete(key);
      if (failure === null) return sendNext(key);
      settleFailure(entry, failure);
    });
  }

  async function post(entry: OutboxEntry): Promise<Failure | null> {
    const talk = talkIn(api, entry.chatKey);
    if (talk === null) return UNSENDABLE;
    const { type, content, tmpId, quote, atUserIds, receipt } = entry;
    const sent = generation;
    const quoteMessageId = quote?.id ?? null;
    const result = await talk.send({ type, content, tmpId, quoteMessageId, atUserIds, receipt });
    if (!result.ok) return result.failure;
    if (sent !== generation) return null;
    const incoming = readTalk(talk.type, entry.chatKey, result.value, currentUser());
    // Never without an end: the row names its tmpId, and so confirms the entry.
    store.batch(() => {
      if (incoming.kind === "chat") desk.apply([incoming.input]);
      drop([tmpId]);
    });
    return null;
  }

  function settleFailure(entry: OutboxEntry, failure: Failure): void {
    const isStillThere = entries.some((known) => known.tmpId === entry.tmpId);
    if (!isStillThere) return sendNext(entry.chatKey);
    if (isFinal(failure)) {
      put({ ...entry, failed: true, failure });
      desk.apply([{ kind: "sending", key: entry.chatKey, tmpId: entry.tmpId, sending: "failed", failure }]);
      return sendNext(entry.chatKey);
    }
    desk.apply([
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
      const found = (await disk.outbox()).map((entry) => ({ ...NOTHING_BESIDE, ...entry }));
      const kept = found.filter(isWhole);
      const broken = found.filter((entry) => !isWhole(entry));
      if (broken.length > 0) disk.keep({ removedOutbox: broken.map(({ tmpId }) => tmpId) });
      // What was written while the disk was opened is on no disk yet.
      if (entries.length > 0) disk.keep({ outbox: entries });
      // What was written while it was read comes behind, and may have been read with the rest.
      const waited = kept.filter(({ tmpId }) => entries.every((entry) => entry.tmpId !== tmpId));
      waited.sort((a, b) => a.createdAt - b.createdAt);
      entries = [...waited, ...entries];
      lastCreatedAt = Math.max(lastCreatedAt, waited.at(-1)?.createdAt ?? 0);
    },
    show() {
      for (const entry of entries) echo(entry);
    },
    sendText(key, text, beside) {
      if (text.trim() !== "") send(key, MessageType.TEXT, text, beside);
    },
    send: (key, type, content) => send(key, type, content),
    resend(key, tmpId) {
      const entry = entries.find((known) => known.tmpId === tmpId);
      if (entry === undefined || !entry.failed) return;
      store.batch(() => {
        put({ ...entry, failed: false, failure: null });
        desk.apply([{ kind: "sending", key, tmpId, sending: "waiting", failure: null }]);
        sendNext(key);
      });
    },
    discard(key, tmpId) {
      store.batch(() => {
        drop([tmpId]);
        desk.apply([{ kind: "discard", key, tmpId }]);
      });
    },
    retry,
    confirm: drop,
    startOver(isOtherServer) {
      if (isOtherServer) {
        entries = entries.map((entry) => ({ ...entry, quote: null }));
        disk.keep({ outbox: entries });
      }
      for (const entry of entries) echo(entry);
    },
    forget() {
      generation++;
      entries = [];
      busy.clear();
      cancelRetry?.();
      cancelRetry = null;
    },
  };
}

/** Kinds of chats that cannot be written to (yet). */
export const UNSENDABLE: Failure = {
  kind: "refused",
  code: 0,
  key: "message.typeNotAllowed",
  params: {},
  message: "",
};

/** A broken disk may hold anything. */
function isWhole({ chatKey, content }: OutboxEntry): boolean {
  return parseChatKey(chatKey) !== null && typeof content === "string";
}

const TOO_MANY = 429;
const SERVER_TROUBLE = 500;

/** A refusal stays one however often it is asked; anything else may go away by itself. */
function isFinal(failure: Failure): boolean {
  switch (failure.kind) {
    case "refused":
      return true;
    case "http":
      return failure.status < SERVER_TROUBLE && failure.status !== TOO_MANY;
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

function echoOf(entry: OutboxEntry, { userId, nickName, group }: Sender): ChatMessage {
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
