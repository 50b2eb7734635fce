import { CHAT_TYPES, ChatType } from "@parley/protocol/codes";
import { loadChanges, type UserChanges } from "@parley/protocol/endpoints/changes";
import type { ChatInput } from "../model/chats/chat-input.ts";
import type { Incoming } from "../model/connection/read-frame.ts";
import { readSystemRow } from "../model/connection/read-frame.ts";
import { chatKey } from "../model/chats/chat-rows.ts";
import type { Chats } from "../model/state.ts";
import type { Api } from "../connection/api.ts";
import { type ChatStore, NO_POSITIONS, parseNumbersByType } from "./chat-store.ts";
import { isRecord } from "../storage/key-value-storage.ts";
import type { LocalDatabase } from "../storage/local-database.ts";
import type { Ports } from "../ports.ts";
import { createPulls } from "../connection/pulls.ts";
import type { StateStore } from "../state-store.ts";

/**
 * Takes what the socket brings, in order. While a pull runs everything of the chats waits in a buffer (spec §4). A cursor is the highest
 * id below which this client has everything; it moves only when the pull of its kind has ended on this very connection, and goes to disk
 * in one write with the rows it stands for.
 */
export interface Inbox {
  /** Reads cursors and the token of changes from disk. */
  restore(isOver: () => boolean): Promise<void>;
  /** The socket's login was accepted. */
  start(epoch: string): void;
  /** The socket is gone: what came is used, cursors stay where they are safe. */
  stop(): void;
  receive(incoming: ChatIncoming): void;
  /**
   * An action of this client is under way: what comes of it is told to everybody but this client. Until its answer is here, the cursor of
   * that kind of rows stays, so that a pull brings it. Answers a function that ends this.
   */
  pauseCursor(type: ChatType): () => void;
  /**
   * Asks anew what happened, to rows of this kind too: after an action of whose answer nothing is known. The cursor of that kind stays until
   * then. Ends when `/user/changes` has answered, or the connection is gone.
   */
  resync(type: ChatType | null): Promise<void>;
  /** The network may be back: asks what could not be asked without one. */
  retry(): void;
  /** What was kept is not to be believed: everything is pulled anew. `isCleared`: another tab has seen to the disk. */
  invalidate(isCleared: boolean): void;
  /** Nobody is logged in any more. */
  forget(): void;
}

export type ChatIncoming = Extract<Incoming, { kind: "chat" | "loading" | "changes" }>;

export type LiveRow = Extract<ChatInput, { kind: "row" }>;

const RETRY_MS = 5_000;

export interface InboxDeps {
  ports: Ports;
  api: Api;
  stateStore: StateStore;
  database: LocalDatabase;
  chatStore: ChatStore;
  /** A live row that may sound. */
  onLiveRow(input: LiveRow): void;
  /** Rows that were pushed live are in; `before`: the chats as they were without them. */
  onLiveRowsApplied(rows: readonly LiveRow[], before: Chats): void;
  /** Server's own view of my read position, for chats where mine is further. */
  onServerBehind(key: ReturnType<typeof chatKey>): void;
  /**
   * All messages are to be loaded anew; `isOtherServer`: another database stands behind it, the messages of the old one are gone; `isCleared`:
   * the disk was cleared already.
   */
  onReset(isOtherServer: boolean, isCleared: boolean): void;
}

export function createInbox(deps: InboxDeps): Inbox {
  const { ports, api, stateStore, database, chatStore } = deps;
  let cursors: Record<ChatType, number> = { ...NO_POSITIONS };
  let changesToken: string | null = null;
  /** Token of changes that are used, or wait in the buffer; it counts once the rows they speak of are here too. */
  let nextToken: string | null = null;
  let epoch: string | null = null;
  let buffer: ChatInput[] = [];
  let live: { input: ChatInput; isPushed: boolean }[] = [];
  let isDraining = false;
  /** Between `start` and `stop`. */
  let isConnected = false;
  /** Rises with every connection; answers of an older one are dropped. */
  let connectionNumber = 0;
  let cursorPauses: Record<ChatType, number> = { ...NO_POSITIONS };
  /** Rises when somebody else comes: holds of the one before end. */
  let sessionNumber = 0;
  let changes: "idle" | "asking" | "askAgain" = "idle";
  /** How often `/user/changes` was asked. */
  let requestNumber = 0;
  /** Those who wait for an answer that was asked for later than this one: an older one may not know what they have done. */
  let waiters: { after: number; done: () => void }[] = [];

  const pulls = createPulls({
    ports,
    api,
    stateStore,
    chatStore,
    cursor: (type) => cursors[type],
    onAllEnded: drainBuffer,
  });

  function start(newEpoch: string): void {
    stateStore.batch(() => {
      isConnected = true;
      applyEpoch(newEpoch);
      connectionNumber++;
      pulls.start();
      changes = "idle";
      requestChanges();
    });
  }

  function applyEpoch(newEpoch: string): void {
    if (epoch === newEpoch) return;
    if (epoch !== null) reset(true, false);
    epoch = newEpoch;
    database.save({ values: { epoch } });
  }

  function reset(isOtherServer: boolean, isCleared: boolean): void {
    cursors = { ...NO_POSITIONS };
    chatStore.forget();
    changesToken = null;
    nextToken = null;
    deps.onReset(isOtherServer, isCleared);
  }

  function drainBuffer(): void {
    // Positions last: one that came before the rows of a new chat is meant for them too.
    const inputs: ChatInput[] = [];
    const positions: ChatInput[] = [];
    for (const input of buffer) (isPositionInput(input) ? positions : inputs).push(input);
    buffer = [];
    chatStore.dispatch(positions.length === 0 ? inputs : inputs.concat(positions), savedValues());
  }

  /** The bookmarks that hold after what is being applied now. */
  function savedValues(): Record<string, unknown> {
    for (const type of CHAT_TYPES) {
      if (pulls.isDone(type) && cursorPauses[type] === 0)
        cursors = { ...cursors, [type]: Math.max(cursors[type], pulls.newestPosition(type)) };
    }
    if (nextToken !== null && CHAT_TYPES.every(pulls.isDone)) {
      changesToken = nextToken;
      nextToken = null;
    }
    return { cursors, floors: chatStore.historyStart, changesToken };
  }

  function receive(incoming: ChatIncoming): void {
    switch (incoming.kind) {
      case "changes":
        return requestChanges();
      case "loading":
        return receiveLoading(incoming);
      case "chat":
        break;
      default:
        return incoming satisfies never;
    }
    pulls.recordReceived(incoming.type, incoming.position);
    enqueue(incoming.input, true);
  }

  function receiveLoading(incoming: Extract<Incoming, { kind: "loading" }>): void {
    const { type, isOn, fromId, hasFailed } = incoming;
    if (isOn) pulls.markStarted(type);
    if (fromId !== null) {
      chatStore.historyStart = {
        ...chatStore.historyStart,
        [type]: Math.max(chatStore.historyStart[type], fromId),
      };
      enqueue({ kind: "gap", type, fromId, upTo: cursors[type] });
    }
    if (!isOn) pulls.markEnded(type, hasFailed);
  }

  function enqueue(input: ChatInput, isPushed = false): void {
    if (pulls.isLoading()) {
      buffer.push(input);
      return;
    }
    live.push({ input, isPushed });
    if (isDraining) return;
    isDraining = true;
    ports.clock.soon(drainLive);
  }

  /** Everything that came in one turn is one batch. */
  function drainLive(): void {
    isDraining = false;
    const batch = live;
    live = [];
    if (batch.length === 0) return;
    if (pulls.isLoading()) {
      buffer.push(...batch.map(({ input }) => input));
      return;
    }
    const before = stateStore.get().chats;
    stateStore.batch(() => {
      for (const { input } of batch) if (input.kind === "row") deps.onLiveRow(input);
      chatStore.dispatch(
        batch.map(({ input }) => input),
        savedValues(),
      );
    });
    deps.onLiveRowsApplied(
      batch.flatMap(({ input, isPushed }) => (isPushed && input.kind === "row" ? input : [])),
      before,
    );
  }

  function requestChanges(): void {
    if (changes !== "idle") {
      changes = "askAgain";
      return;
    }
    changes = "asking";
    const startConnection = connectionNumber;
    const number = ++requestNumber;
    const query = changesToken === null ? {} : { since: changesToken };
    void api.call(loadChanges, { query }, { silent: true }).then((result) => {
      if (startConnection !== connectionNumber) return;
      const shouldRepeat = changes === "askAgain";
      changes = "idle";
      if (result.ok) {
        applyChanges(result.value);
        resolveWaiters(number);
      } else ports.clock.after(RETRY_MS, () => startConnection === connectionNumber && requestChanges());
      if (shouldRepeat) requestChanges();
    });
  }

  function resolveWaiters(number: number): void {
    const resolved = waiters.filter(({ after }) => after < number);
    waiters = waiters.filter(({ after }) => after >= number);
    for (const { done } of resolved) done();
  }

  function applyChanges(answer: UserChanges): void {
    stateStore.batch(() => {
      for (const { type, targetId, mine, theirs } of answer.read) {
        const key = chatKey(type, targetId);
        enqueue({ kind: "read", key, side: "mine", upTo: mine });
        if (theirs >= 0) enqueue({ kind: "read", key, side: "theirs", upTo: theirs });
        if ((stateStore.get().chats.byKey[key]?.readId ?? -1) > mine) deps.onServerBehind(key);
      }
      for (const row of answer.system) {
        const incoming = readSystemRow(row);
        if (incoming.kind === "chat") enqueue(incoming.input);
      }
      for (const { type, upTo } of answer.cleared) enqueue({ kind: "cleared", type, upTo });
      for (const { type, targetId, ids } of answer.hidden)
        enqueue({ kind: "deleteForMe", key: chatKey(type, targetId), ids });
      for (const { groupId, userId, upTo } of answer.purged)
        enqueue({
          kind: "removeByModerator",
          key: chatKey(ChatType.GROUP, groupId),
          removal: { userId, upTo },
        });
      for (const { groupId, ...receipt } of answer.receipts)
        enqueue({ kind: "receipt", key: chatKey(ChatType.GROUP, groupId), receipt });
      nextToken = answer.next;
      // Also an answer without news moves the token.
      if (!pulls.isLoading() && live.length === 0) chatStore.dispatch([], savedValues());
    });
  }

  function resync(type: ChatType | null): Promise<void> {
    // The next login asks by itself.
    if (!isConnected) return Promise.resolve();
    if (type !== null) pulls.repeat(type);
    const after = requestNumber;
    if (ports.environment.hasNetwork()) requestChanges();
    return new Promise((resolve) => waiters.push({ after, done: resolve }));
  }

  function retry(): void {
    if (!isConnected) return;
    pulls.retry();
    if (waiters.length > 0) requestChanges();
  }

  function stop(): void {
    connectionNumber++;
    isConnected = false;
    resolveWaiters(Infinity);
    stateStore.batch(() => {
      drainLive();
      pulls.stop();
      drainBuffer();
      nextToken = null;
    });
  }

  return {
    async restore(isOver) {
      // The epoch first: another tab may write meanwhile, and cursors of one epoch must not count in the next.
      const [known, stored, historyStart, token] = await Promise.all(
        ["epoch", "cursors", "floors", "changesToken"].map((key) => database.value(key)),
      );
      if (isOver()) return;
      if (isRecord(stored)) cursors = parseNumbersByType(stored);
      if (isRecord(historyStart)) chatStore.historyStart = parseNumbersByType(historyStart);
      if (typeof token === "string") changesToken = token;
      if (typeof known === "string") epoch = known;
    },
    start,
    stop,
    receive,
    pauseCursor(type) {
      const startSession = sessionNumber;
      cursorPauses[type]++;
      return () => {
        if (startSession === sessionNumber) cursorPauses[type]--;
      };
    },
    resync,
    retry,
    invalidate(isCleared) {
      stateStore.batch(() => {
        reset(false, isCleared);
        database.save({ values: { epoch, cursors, floors: chatStore.historyStart, changesToken } });
        for (const type of CHAT_TYPES) void resync(type);
      });
    },
    forget() {
      stop();
      sessionNumber++;
      cursorPauses = { ...NO_POSITIONS };
      live = [];
      buffer = [];
      cursors = { ...NO_POSITIONS };
      pulls.forget();
      changesToken = null;
      epoch = null;
    },
  };
}

function isPositionInput(input: ChatInput): boolean {
  return (input.kind === "read" && input.upTo !== null) || input.kind === "receipt";
}
