/** The whole outside world of the core. Browsers, Electron, load generators and tests each bring their own. */
import type { ChatKey, ChatMessage, DraftQuote, Failure } from "./model/state.ts";

export interface Ports {
  readonly clock: Clock;
  readonly random: Random;
  readonly http: Http;
  readonly sockets: Sockets;
  readonly storage: StoragePort;
  readonly tabs: Tabs;
  readonly sound: Sound;
  readonly environment: Environment;
  readonly log: Log;
}

export interface Clock {
  /** Epoch ms. */
  now(): number;
  /** Answers a function that cancels. */
  after(ms: number, run: () => void): () => void;
  /** Runs soon, after the present turn; for batching. */
  soon(run: () => void): void;
}

export interface Random {
  /** A fresh id of at least 122 random bits, ASCII letters, digits and dashes. */
  id(): string;
}

/** A picked file; in browsers a `Blob`. */
export interface FileData {
  readonly size: number;
  readonly type: string;
}

export interface HttpRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  /** JSON text or a multipart file. */
  body?: string | { file: FileData; name: string };
  /** Without progress for so long the request is given up. */
  timeoutMs: number;
  onProgress?: (sentBytes: number, totalBytes: number) => void;
}

export type HttpResponse =
  | { kind: "answer"; status: number; text: string; retryAfterSeconds: number | null }
  | { kind: "failed"; reason: "offline" | "timeout" };

export interface Http {
  /** Never rejects. */
  request(request: HttpRequest): Promise<HttpResponse>;
}

export interface SocketHandlers {
  opened(): void;
  received(text: string): void;
  /** Once, also when it never opened (code 1006). */
  closed(code: number): void;
}

export interface Socket {
  send(text: string): void;
  close(code: number): void;
}

export interface Sockets {
  /** After `close` no handler is called any more. */
  open(url: string, handlers: SocketHandlers): Socket;
}

/** What a client keeps between page loads. Every method may reject; the core then works in memory and says so. */
export interface StoragePort {
  /** Small values of this origin for ever (localStorage) or of this tab (sessionStorage). */
  readonly local: KeyValue;
  readonly session: KeyValue;
  /** Called when another tab, or the person in the browser's settings, has cleared `local`. Answers a function that ends this. */
  onCleared(listener: () => void): () => void;
  /** One database per user and server. */
  open(name: string): Promise<Database>;
  /** Seals a secret with a key of this device that cannot be read out; null where the browser has no such thing. */
  readonly vault: Vault | null;
}

export interface KeyValue {
  get(key: string): string | null;
  set(key: string, value: string): void;
  remove(key: string): void;
}

export interface Vault {
  seal(secret: string): Promise<string>;
  open(sealed: string): Promise<string | null>;
}

/** One chat as it lies on disk: everything of it but the messages. */
export type ChatRecord = Record<string, unknown> & { key: ChatKey };

/** A message waiting to be sent. */
export interface OutboxEntry {
  readonly tmpId: string;
  readonly chatKey: ChatKey;
  readonly type: number;
  readonly content: string;
  /** What it answers. */
  readonly quote: DraftQuote | null;
  /** Whom it names in a group; -1 is everyone. */
  readonly atUserIds: readonly number[];
  /** Its sender asks who reads it. */
  readonly receipt: boolean;
  /** No two entries have the same. */
  readonly createdAt: number;
  readonly failed: boolean;
  /** Why it failed. */
  readonly failure: Failure | null;
}

/** Single messages of a chat, or all up to an id. */
export type RemovedMessages =
  | { readonly chatKey: ChatKey; readonly ids: readonly number[] }
  | { readonly chatKey: ChatKey; readonly upTo: number };

export interface MessageRecord {
  readonly chatKey: ChatKey;
  readonly message: ChatMessage;
  /** What a search on this disk finds it by: worked out by the disk, when it writes. */
  readonly terms?: () => readonly string[];
}

/** Names a stored message. */
export interface MessageRef {
  readonly chatKey: ChatKey;
  readonly id: number;
}

/** How much a chat takes on the disk. */
export interface ChatSize {
  readonly chatKey: ChatKey;
  readonly count: number;
  /** Estimated from its newest messages. */
  readonly bytes: number;
  /** Id of the oldest message among the newest ones to keep; null when there are not more. */
  readonly oldestRetainedId: number | null;
}

/** Writes that belong together; all or none is kept. */
export interface DatabaseWrite {
  chats?: readonly ChatRecord[];
  removedChats?: readonly ChatKey[];
  /** Gone before `messages` of the same write come in. */
  removedMessages?: readonly RemovedMessages[];
  messages?: readonly MessageRecord[];
  outbox?: readonly OutboxEntry[];
  removedOutbox?: readonly string[];
  values?: Readonly<Record<string, unknown>>;
  /** Forget all stored messages, chats and values first (another epoch); outbox and drafts stay. */
  clearMessages?: boolean;
}

/** Reads that are asked for in one turn see the store in the order of the calls: what a later one finds is never older. */
export interface Database {
  chats(): Promise<ChatRecord[]>;
  /** Messages of a chat below `beforeId` (Infinity: from the newest), newest `limit`, ascending. */
  messagesBefore(chatKey: ChatKey, beforeId: number, limit: number): Promise<ChatMessage[]>;
  /** Messages of a chat above `afterId`, oldest `limit`, ascending. */
  messagesAfter(chatKey: ChatKey, afterId: number, limit: number): Promise<ChatMessage[]>;
  /** These messages, in this order; undefined for what is not there. */
  messagesAt(places: readonly MessageRef[]): Promise<(ChatMessage | undefined)[]>;
  /** Where messages with this term lie, or with one that begins with it: of one chat or of all, in no order, some maybe twice. */
  messagesWithTerm(term: { text: string; isPrefix: boolean }, chatKey: ChatKey | null): Promise<MessageRef[]>;
  /** Sizes of all chats, and where each would be cut to keep so many messages. */
  sizes(kept: number): Promise<ChatSize[]>;
  outbox(): Promise<OutboxEntry[]>;
  value(key: string): Promise<unknown>;
  /** Begun at once and carried out in the order of the calls, before any read that is asked for later. */
  write(write: DatabaseWrite): Promise<void>;
  /** Called when another tab needs a newer schema or the store was thrown away. */
  onLost(listener: () => void): void;
  close(): void;
}

/** Other tabs of this device. */
export interface Tabs {
  /** To all other tabs of this origin. */
  broadcast(message: unknown): void;
  listen(listener: (message: unknown) => void): () => void;
  /** Runs `work` while no other tab runs work of the same name. */
  exclusive<T>(name: string, work: () => Promise<T>): Promise<T>;
}

export interface Sound {
  /** Whether it sounds: browsers let a page do so only once somebody has touched it. */
  play(name: "message"): Promise<boolean>;
}

export interface Environment {
  /** Where the page came from, e.g. `https://im.example.org`. */
  readonly origin: string;
  readonly os: string;
  readonly browser: string;
  readonly deviceVersion: string;
  readonly appVersion: string;
  /** Tag of the language shown, for Accept-Language. */
  language(): string;
  hasNetwork(): boolean;
  /** The person sees the page and it has the focus. */
  hasAttention(): boolean;
  /** Called when network or attention may have changed. */
  onChange(listener: () => void): () => void;
}

export interface Log {
  debug(text: string, facts?: Record<string, unknown>): void;
  warn(text: string, facts?: Record<string, unknown>): void;
  error(text: string, facts?: Record<string, unknown>): void;
}
