import { CHAT_TYPES, type ChatType } from "@parley/protocol/codes";
import type { UserChanges } from "@parley/protocol/endpoints/changes";
import type { ChatInput } from "../model/chats/chat-input.ts";
import type { Incoming } from "../model/connection/read-frame.ts";
import { chatsReadFurtherHere, inputsOfChanges } from "../model/chats/change-inputs.ts";
import { advancePosition, SYNC_START } from "../model/chats/sync-position.ts";
import type { ChatKey, Chats } from "../model/state.ts";
import { type ChatDeps, NO_POSITIONS, parseNumbersByType } from "./chat-store.ts";
import { isRecord } from "../storage/key-value-storage.ts";
import type { ValuesToSave } from "../storage/stored-values.ts";
import { createChangeFeed } from "../connection/change-feed.ts";
import { createPulls } from "../connection/pulls.ts";

/**
 * Applies what the socket receives, in order. While a pull runs, all inputs of chats wait in a buffer (spec §4). A cursor is the id up to
 * which this client has every row; it moves only when the pull of its kind has ended on the same connection, and it is saved in one write
 * with the rows that it covers.
 */
export interface Inbox {
  /** Reads the cursors and the token of the change feed from the local database. */
  restore(): Promise<void>;
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
}

/** What the inbox accepts from the socket. */
export type ChatIncoming = Extract<Incoming, { kind: "chat" | "loading" | "changes" }>;

/** A message that arrived outside a pull. */
export type LiveRow = Extract<ChatInput, { kind: "row" }>;

/** What the inbox needs, and where it reports to. */
export interface InboxDeps extends ChatDeps {
  /** Called for a live row before it is applied; it may play a sound. */
  onLiveRow(input: LiveRow): void;
  /** Called after rows that were pushed live have been applied; `before`: the chats without them. */
  onLiveRowsApplied(rows: readonly LiveRow[], before: Chats): void;
  /** Called when the server has a lower read position for a chat than this client. */
  onServerBehind(key: ChatKey): void;
  /**
   * Called when all messages have to be loaded again. `isOtherServer`: the server has another database, and the messages of the old one do
   * not exist there; `isCleared`: the local database was cleared already.
   */
  onReset(isOtherServer: boolean, isCleared: boolean): void;
}

/** Creates the inbox; it requests nothing before `start`. */
export function createInbox(deps: InboxDeps): Inbox {
  const { ports, api, stateStore, database, chatStore } = deps;
  let position = SYNC_START;
  let epoch: string | null = null;
  let buffer: ChatInput[] = [];
  let liveInputs: { input: ChatInput; isPushed: boolean }[] = [];
  let isDraining = false;
  const cursorPauses: Record<ChatType, number> = { ...NO_POSITIONS };

  const pulls = createPulls({
    ports,
    api,
    stateStore,
    chatStore,
    cursor: (type) => position.cursors[type],
    onAllEnded: drainBuffer,
  });

  const changeFeed = createChangeFeed({
    ports,
    api,
    since: () => position.changesToken,
    onAnswer: applyChanges,
  });

  function start(newEpoch: string): void {
    stateStore.batch(() => {
      applyEpoch(newEpoch);
      pulls.start();
      changeFeed.start();
    });
  }

  function applyEpoch(newEpoch: string): void {
    if (epoch === newEpoch) return;
    if (epoch !== null) reset(true, false);
    epoch = newEpoch;
    database.save({ values: { epoch } });
  }

  function reset(isOtherServer: boolean, isCleared: boolean): void {
    position = SYNC_START;
    chatStore.forget();
    deps.onReset(isOtherServer, isCleared);
  }

  function drainBuffer(): void {
    // Apply positions last: one that arrived before the rows of a new chat applies to these rows.
    const inputs: ChatInput[] = [];
    const positions: ChatInput[] = [];
    for (const input of buffer) (isPositionInput(input) ? positions : inputs).push(input);
    buffer = [];
    chatStore.dispatch(positions.length === 0 ? inputs : inputs.concat(positions), advance());
  }

  /** Moves to the position after the inputs that are being applied now, to be saved in one write with them. */
  function advance(): ValuesToSave {
    position = advancePosition(position, (type) => ({
      isDone: pulls.isDone(type),
      newest: pulls.newestPosition(type),
      isPaused: cursorPauses[type] > 0,
    }));
    return positionValues();
  }

  function positionValues(): ValuesToSave {
    const { cursors, changesToken } = position;
    return { cursors, floors: chatStore.historyStart, changesToken };
  }

  function receive(incoming: ChatIncoming): void {
    switch (incoming.kind) {
      case "changes":
        return changeFeed.request();
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
      enqueue({ kind: "gap", type, fromId, upTo: position.cursors[type] });
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
        advance(),
      );
    });
    deps.onLiveRowsApplied(
      batch.flatMap(({ input, isPushed }) => (isPushed && input.kind === "row" ? input : [])),
      before,
    );
  }

  function applyChanges(changes: UserChanges): void {
    stateStore.batch(() => {
      for (const key of chatsReadFurtherHere(changes, stateStore.get().chats)) deps.onServerBehind(key);
      for (const input of inputsOfChanges(changes)) enqueue(input);
      position = { ...position, nextToken: changes.next };
      // An answer without changes also moves the token.
      if (!pulls.isLoading() && liveInputs.length === 0) chatStore.dispatch([], advance());
    });
  }

  function resync(type: ChatType | null): Promise<void> {
    // The next socket login requests everything anyway.
    if (!changeFeed.isConnected()) return Promise.resolve();
    if (type !== null) pulls.repeat(type);
    return changeFeed.nextAnswer();
  }

  function retry(): void {
    if (!changeFeed.isConnected()) return;
    pulls.retry();
    changeFeed.retry();
  }

  function stop(): void {
    changeFeed.stop();
    stateStore.batch(() => {
      drainLive();
      pulls.stop();
      drainBuffer();
      position = { ...position, nextToken: null };
    });
  }

  return {
    async restore() {
      // Read the epoch first: another tab may write meanwhile, and cursors of one epoch must not be used in the next.
      const [storedEpoch, storedCursors, storedStart, storedToken] = await Promise.all(
        (["epoch", "cursors", "floors", "changesToken"] as const).map((key) => database.value(key)),
      );
      if (isRecord(storedCursors)) position = { ...position, cursors: parseNumbersByType(storedCursors) };
      if (isRecord(storedStart)) chatStore.historyStart = parseNumbersByType(storedStart);
      if (typeof storedToken === "string") position = { ...position, changesToken: storedToken };
      if (typeof storedEpoch === "string") epoch = storedEpoch;
    },
    start,
    stop,
    receive,
    pauseCursor(type) {
      cursorPauses[type]++;
      return () => {
        cursorPauses[type]--;
      };
    },
    resync,
    retry,
    invalidate(isCleared) {
      stateStore.batch(() => {
        reset(false, isCleared);
        database.save({ values: { epoch, ...positionValues() } });
        for (const type of CHAT_TYPES) void resync(type);
      });
    },
  };
}

function isPositionInput(input: ChatInput): boolean {
  return (input.kind === "read" && input.upTo !== null) || input.kind === "receipt";
}
