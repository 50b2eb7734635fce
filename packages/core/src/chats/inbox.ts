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
 * Applies what the socket receives, in order. While a pull runs, all inputs of chats wait in a buffer (spec §4). A cursor is the id up to
 * which this client has every row; it moves only when the pull of its kind has ended on the same connection, and it is saved in one write
 * with the rows that it covers.
 */
export interface Inbox {
  /** Reads the cursors and the token of the change feed from the local database. */
  restore(isOver: () => boolean): Promise<void>;
  /** The login of the socket was accepted. */
  start(epoch: string): void;
  /** The socket is closed: applies what has arrived and leaves the cursors where no row is missing. */
  stop(): void;
  receive(incoming: ChatIncoming): void;
  /**
   * Stops the cursor of a kind while an action of this client waits for its answer: the server pushes the result to all other clients, but
   * not to this one, so a pull has to bring it if the answer is lost. Returns a function that resumes the cursor.
   */
  pauseCursor(type: ChatType): () => void;
  /**
   * Loads changes again, and rows of this kind, after an action whose answer was lost. The cursor of that kind stays until then. Resolves
   * when `/user/changes` has answered, or the connection has ended.
   */
  resync(type: ChatType | null): Promise<void>;
  /** The network may be back: sends the requests that could not be sent without one. */
  retry(): void;
  /** The saved data cannot be trusted: pulls everything again. `isCleared`: another tab has already cleared the local database. */
  invalidate(isCleared: boolean): void;
  /** The user has logged out. */
  forget(): void;
}

/** What the inbox accepts from the socket. */
export type ChatIncoming = Extract<Incoming, { kind: "chat" | "loading" | "changes" }>;

/** A message that arrived outside a pull. */
export type LiveRow = Extract<ChatInput, { kind: "row" }>;

const RETRY_MS = 5_000;

/** What the inbox needs, and where it reports to. */
export interface InboxDeps {
  ports: Ports;
  api: Api;
  stateStore: StateStore;
  database: LocalDatabase;
  chatStore: ChatStore;
  /** Called for a live row before it is applied; it may play a sound. */
  onLiveRow(input: LiveRow): void;
  /** Called after rows that were pushed live have been applied; `before`: the chats without them. */
  onLiveRowsApplied(rows: readonly LiveRow[], before: Chats): void;
  /** Called when the server has a lower read position for a chat than this client. */
  onServerBehind(key: ReturnType<typeof chatKey>): void;
  /**
   * Called when all messages have to be loaded again. `isOtherServer`: the server has another database, and the messages of the old one do
   * not exist there; `isCleared`: the local database was cleared already.
   */
  onReset(isOtherServer: boolean, isCleared: boolean): void;
}

/** Creates the inbox; it requests nothing before `start`. */
export function createInbox(deps: InboxDeps): Inbox {
  const { ports, api, stateStore, database, chatStore } = deps;
  let cursors: Record<ChatType, number> = { ...NO_POSITIONS };
  let changesToken: string | null = null;
  /** The token of changes that are applied or buffered; it is saved once the rows that these changes concern have arrived. */
  let nextToken: string | null = null;
  let epoch: string | null = null;
  let buffer: ChatInput[] = [];
  let liveInputs: { input: ChatInput; isPushed: boolean }[] = [];
  let isDraining = false;
  /** Between `start` and `stop`. */
  let isConnected = false;
  /** Rises with every connection; answers of an older one are dropped. */
  let connectionNumber = 0;
  let cursorPauses: Record<ChatType, number> = { ...NO_POSITIONS };
  /** Rises with each logout; pauses of the previous user no longer count. */
  let sessionNumber = 0;
  let changesRequest: "idle" | "running" | "repeat" = "idle";
  /** How often `/user/changes` was requested. */
  let requestNumber = 0;
  /** Callers that wait for an answer to a later request than `after`: an earlier answer may lack what their action changed. */
  let waiters: { after: number; resolve: () => void }[] = [];

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
      changesRequest = "idle";
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
    // Apply positions last: one that arrived before the rows of a new chat applies to these rows.
    const inputs: ChatInput[] = [];
    const positions: ChatInput[] = [];
    for (const input of buffer) (isPositionInput(input) ? positions : inputs).push(input);
    buffer = [];
    chatStore.dispatch(positions.length === 0 ? inputs : inputs.concat(positions), savedValues());
  }

  /** Cursors and token as they are after the inputs that are being applied now. */
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
    liveInputs.push({ input, isPushed });
    if (isDraining) return;
    isDraining = true;
    ports.clock.soon(drainLive);
  }

  /** Applies everything that arrived in one turn as one batch. */
  function drainLive(): void {
    isDraining = false;
    const batch = liveInputs;
    liveInputs = [];
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
    if (changesRequest !== "idle") {
      changesRequest = "repeat";
      return;
    }
    changesRequest = "running";
    const connectionAtStart = connectionNumber;
    const thisRequest = ++requestNumber;
    const query = changesToken === null ? {} : { since: changesToken };
    void api.call(loadChanges, { query }, { silent: true }).then((result) => {
      if (connectionAtStart !== connectionNumber) return;
      const shouldRepeat = changesRequest === "repeat";
      changesRequest = "idle";
      if (result.ok) {
        applyChanges(result.value);
        resolveWaiters(thisRequest);
      } else ports.clock.after(RETRY_MS, () => connectionAtStart === connectionNumber && requestChanges());
      if (shouldRepeat) requestChanges();
    });
  }

  function resolveWaiters(number: number): void {
    const resolved = waiters.filter(({ after }) => after < number);
    waiters = waiters.filter(({ after }) => after >= number);
    for (const { resolve } of resolved) resolve();
  }

  function applyChanges(answer: UserChanges): void {
    stateStore.batch(() => {
      for (const { type, targetId, mine, theirs } of answer.read) {
        const key = chatKey(type, targetId);
        enqueue({ kind: "read", key, side: "mine", upTo: mine });
        if (theirs >= 0) enqueue({ kind: "read", key, side: "theirs", upTo: theirs });
        if ((stateStore.get().chats.byKey[key]?.readId ?? -1) > mine) deps.onServerBehind(key);
      }
      for (const row of answer.system) enqueue(readSystemRow(row).input);
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
      // An answer without changes also moves the token.
      if (!pulls.isLoading() && liveInputs.length === 0) chatStore.dispatch([], savedValues());
    });
  }

  function resync(type: ChatType | null): Promise<void> {
    // The next socket login requests everything anyway.
    if (!isConnected) return Promise.resolve();
    if (type !== null) pulls.repeat(type);
    const after = requestNumber;
    if (ports.environment.hasNetwork()) requestChanges();
    return new Promise((resolve) => waiters.push({ after, resolve }));
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
      // Read the epoch first: another tab may write meanwhile, and cursors of one epoch must not be used in the next.
      const [storedEpoch, storedCursors, storedStart, storedToken] = await Promise.all(
        ["epoch", "cursors", "floors", "changesToken"].map((key) => database.value(key)),
      );
      if (isOver()) return;
      if (isRecord(storedCursors)) cursors = parseNumbersByType(storedCursors);
      if (isRecord(storedStart)) chatStore.historyStart = parseNumbersByType(storedStart);
      if (typeof storedToken === "string") changesToken = storedToken;
      if (typeof storedEpoch === "string") epoch = storedEpoch;
    },
    start,
    stop,
    receive,
    pauseCursor(type) {
      const sessionAtStart = sessionNumber;
      cursorPauses[type]++;
      return () => {
        if (sessionAtStart === sessionNumber) cursorPauses[type]--;
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
      liveInputs = [];
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
