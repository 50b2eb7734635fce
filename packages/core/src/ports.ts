import type { ChatKey, ChatMessage, OutboxEntry } from "./model/state.ts";

/** Everything that the core uses of the outside world. Browsers, Electron, load generators and tests implement it. */
export interface Ports {
  readonly clock: Clock;
  readonly random: Random;
  readonly http: Http;
  readonly sockets: Sockets;
  readonly storage: StoragePort;
  readonly tabs: Tabs;
  readonly sound: Sound;
  readonly webPush: WebPushPort;
  readonly environment: Environment;
  readonly log: Log;
}

/** Time and timers. */
export interface Clock {
  /** Epoch ms. */
  now(): number;
  /** Returns a function that cancels the timer. */
  after(ms: number, run: () => void): () => void;
  /** Runs soon, after the current turn of the event loop; for batching. */
  soon(run: () => void): void;
}

/** The source of random ids. */
export interface Random {
  /**
   * A new id of ASCII letters, digits and dashes: the time, and then at least 74 random bits. Those made in a later millisecond sort after
   * earlier ones, which makes it cheap for a server to store messages under them.
   */
  id(): string;
}

/** A picked file; in browsers a `Blob`. */
export interface FileData {
  readonly size: number;
  readonly type: string;
}

/** A request to the server. */
export interface HttpRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  /** JSON text, or the files of a multipart body. */
  body?: string | readonly FilePart[];
  /** The request is aborted after this time without progress. */
  timeoutMs: number;
  onProgress?: (sentBytes: number, totalBytes: number) => void;
  /** The answer should tell the server's time. */
  wantsServerTime?: boolean;
  /** The request is sent even if the page is closed at once. It must be small. */
  outlivesPage?: boolean;
  /** When it ends before the answer, the request is aborted and fails as `offline`. */
  lifetime?: Lifetime;
}

/** A file of a multipart body. */
export interface FilePart {
  readonly field: string;
  readonly file: FileData;
  readonly name: string;
}

/** Something that ends once, such as the wish to upload a file. */
export interface Lifetime {
  isOver(): boolean;
  /** Calls `run` when it ends, at once if it is over. Returns a function that cancels this. */
  onEnd(run: () => void): () => void;
}

/** An answer with any status, or no answer. */
export type HttpResponse =
  | {
      kind: "answer";
      status: number;
      text: string;
      retryAfterSeconds: number | null;
      /** When the server answered, by its own clock: epoch ms, in whole seconds. Absent if nobody asked, or if it is not known. */
      serverTime?: number | null;
    }
  | { kind: "failed"; reason: "offline" | "timeout" };

/** HTTP calls. */
export interface Http {
  /** Never rejects. */
  request(request: HttpRequest): Promise<HttpResponse>;
}

/** What a socket calls. */
export interface SocketHandlers {
  opened(): void;
  received(text: string): void;
  /** Called once, also if the socket never opened (code 1006). */
  closed(code: number): void;
}

/** An open or opening socket. */
export interface Socket {
  send(text: string): void;
  close(code: number): void;
}

/** Opens sockets. */
export interface Sockets {
  /** No handler is called after `close`. */
  open(url: string, handlers: SocketHandlers): Socket;
}

/** Storage that survives page loads. Every method may reject; the core then works in memory and reports it. */
export interface StoragePort {
  /** Small values of this origin (localStorage) or of this tab (sessionStorage). */
  readonly local: KeyValue;
  readonly session: KeyValue;
  /** Calls the listener when another tab or the person in the browser's settings has cleared `local`. Returns a function to unsubscribe. */
  onCleared(listener: () => void): () => void;
  /** One database per user and server. */
  open(name: string): Promise<Database>;
  /** Deletes a database, as soon as all tabs have closed it. Rejects if the browser refuses. */
  remove(name: string): Promise<void>;
  /** Encrypts secrets with a key of this device that cannot be exported; null if the browser does not support that. */
  readonly vault: Vault | null;
}

/** A synchronous key-value store. */
export interface KeyValue {
  get(key: string): string | null;
  set(key: string, value: string): void;
  remove(key: string): void;
}

/** Encrypts and decrypts secrets on this device. */
export interface Vault {
  seal(secret: string): Promise<string>;
  open(sealed: string): Promise<string | null>;
}

/** A chat in the database, without its messages. */
export type ChatRecord = Record<string, unknown> & { key: ChatKey };

/** Messages to delete: single ones of a chat, or all up to an id. */
export type RemovedMessages =
  | { readonly chatKey: ChatKey; readonly ids: readonly number[] }
  | { readonly chatKey: ChatKey; readonly upTo: number };

/** A message to store. */
export interface MessageRecord {
  readonly chatKey: ChatKey;
  readonly message: ChatMessage;
  /** The search terms of the message. The database calls this when it writes. */
  readonly terms?: () => readonly string[];
}

/** A file of a draft. */
export interface StoredFile {
  readonly id: string;
  readonly file: FileData;
  /** The first frame of a video; null for others. */
  readonly cover: FileData | null;
}

/** The key of a stored message. */
export interface MessageRef {
  readonly chatKey: ChatKey;
  readonly id: number;
}

/** How much storage a chat takes. */
export interface ChatSize {
  readonly chatKey: ChatKey;
  readonly count: number;
  /** Estimated from the newest messages. */
  readonly bytes: number;
  /** Id of the oldest message to keep; null if there are no messages to evict. */
  readonly oldestRetainedId: number | null;
}

/** Writes in one transaction: all or none are stored. */
export interface DatabaseWrite {
  chats?: readonly ChatRecord[];
  removedChats?: readonly ChatKey[];
  /** Deleted before `messages` of the same write are stored. */
  removedMessages?: readonly RemovedMessages[];
  messages?: readonly MessageRecord[];
  outbox?: readonly OutboxEntry[];
  removedOutbox?: readonly string[];
  /** Those that are undefined are deleted. */
  values?: Readonly<Record<string, unknown>>;
  /** Delete all stored messages, chats and values first (another epoch); outbox and files stay. */
  clearMessages?: boolean;
  /** Values whose keys begin with one of these stay when messages are cleared. */
  keptValues?: readonly string[];
}

/** Reads that start in one turn see the store in the order of the calls: a later read never sees an older state. */
export interface Database {
  chats(): Promise<ChatRecord[]>;
  /** The newest `limit` messages of a chat below `beforeId` (Infinity: from the newest), ascending. */
  messagesBefore(chatKey: ChatKey, beforeId: number, limit: number): Promise<ChatMessage[]>;
  /** The oldest `limit` messages of a chat above `afterId`, ascending. */
  messagesAfter(chatKey: ChatKey, afterId: number, limit: number): Promise<ChatMessage[]>;
  /** These messages in this order; undefined for those that are not stored. */
  messagesAt(refs: readonly MessageRef[]): Promise<(ChatMessage | undefined)[]>;
  /** Messages with this search term, or with one that begins with it: of one chat or of all, in no order, perhaps with duplicates. */
  messagesWithTerm(term: { text: string; isPrefix: boolean }, chatKey: ChatKey | null): Promise<MessageRef[]>;
  /** Sizes of all chats. `oldestRetainedId` is computed for keeping `retainedCount` messages of each. */
  sizes(retainedCount: number): Promise<ChatSize[]>;
  outbox(): Promise<OutboxEntry[]>;
  value(key: string): Promise<unknown>;
  /** The values whose keys begin with `prefix`. */
  valuesWith(prefix: string): Promise<unknown[]>;
  file(id: string): Promise<StoredFile | undefined>;
  fileIds(): Promise<string[]>;
  /** Rejects if it does not fit; nothing else is affected then. */
  putFile(file: StoredFile): Promise<void>;
  removeFiles(ids: readonly string[]): Promise<void>;
  /** Starts at once. Writes run in the order of the calls, and before any later read. */
  write(write: DatabaseWrite): Promise<void>;
  /** Calls the listener when the database was closed because another tab needs a newer schema, or when it was deleted. */
  onLost(listener: () => void): void;
  close(): void;
}

/** Communication between the tabs of this browser. */
export interface Tabs {
  /** Sends a message to all other tabs of this origin: data that can be cloned. */
  broadcast(message: unknown): void;
  listen(listener: (message: unknown) => void): () => void;
  /** Runs `work` while no other tab runs work under the same name. */
  exclusive<T>(name: string, work: () => Promise<T>): Promise<T>;
  /**
   * Gives a sign of life under this name until the page ends, also by a crash, or until the returned function is called. Calls `onAlive`
   * once other tabs can see it; never in a browser that cannot tell them of a crash.
   */
  live(name: string, onAlive: () => void): () => void;
  /**
   * Runs `work` when no tab gives this sign of life; tabs that wait for the same one run it one after another. Returns a function
   * that stops waiting.
   */
  afterLife(name: string, work: () => Promise<void>): () => void;
}

/** Alert sounds. */
export interface Sound {
  /** Resolves with whether it played: browsers allow sound only after the person has interacted with the page. */
  play(name: "message"): Promise<boolean>;
}

/** Where the push service of the browser reaches this device, for the server. */
export interface PushAddress {
  readonly endpoint: string;
  readonly p256dh: string;
  readonly auth: string;
}

/** Subscribes this browser to the push service that its vendor runs. */
export interface WebPushPort {
  /**
   * Subscribes with the key of a server (base64url), or returns the subscription that exists with it; one with another key is ended. The
   * browser may ask the person for permission. Never rejects; it may take long, because it needs the push service.
   */
  subscribe(publicKey: string): Promise<PushAddress | "denied" | "failed">;
  /** Ends the subscription, if there is one. */
  unsubscribe(): Promise<void>;
}

/** Facts about the browser and the page. */
export interface Environment {
  /** The origin of the page, for example `https://im.example.org`. */
  readonly origin: string;
  readonly os: string;
  readonly browser: string;
  readonly deviceVersion: string;
  readonly appVersion: string;
  /** Tag of the display language, for Accept-Language. */
  language(): string;
  /** What the browser reports. It may be wrong, see `connection/network-evidence.ts`. */
  hasNetwork(): boolean;
  /** Whether the page is visible and has the focus. */
  hasAttention(): boolean;
  /** Calls the listener when network or attention may have changed. */
  onChange(listener: () => void): () => void;
}

/** The log of the client. */
export interface Log {
  debug(text: string, details?: Record<string, unknown>): void;
  warn(text: string, details?: Record<string, unknown>): void;
  error(text: string, details?: Record<string, unknown>): void;
}
