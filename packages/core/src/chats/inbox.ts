import { CHAT_TYPES, type ChatType } from "@parley/protocol/codes";
import type { UserChanges } from "@parley/protocol/endpoints/changes";
import { EXTRA_CHANGES_MAX } from "@parley/protocol/limits";
import type { ChatInput } from "../model/chats/chat-input.ts";
import type { Incoming } from "../model/connection/read-frame.ts";
import { chatsReadFurtherHere, inputsOfChanges } from "../model/chats/change-inputs.ts";
import type { ChatKey, Chats, Result } from "../model/state.ts";
import type { ChatDeps } from "./chat-store.ts";
import type { FirstChatsLoader } from "./first-chats.ts";
import { feedQuery } from "../model/chats/sync-position.ts";
import { createChangeFeed } from "../connection/change-feed.ts";
import type { SharedValues } from "../storage/shared-values.ts";
import { createPulls } from "../connection/pulls.ts";
import type { SessionEvents } from "../session-events.ts";
import { createInputBuffer, type LiveRow } from "./input-buffer.ts";
import { createSyncState } from "./sync-state.ts";

/**
 * Applies what the socket receives, in order. While a pull runs, all inputs of chats wait in a buffer (spec §4). A cursor is the id up to
 * which this client has every row; it moves only when the pull of its kind has ended on the same connection, and it is saved in one write
 * with the rows that it covers.
 */
export interface Inbox extends Pick<SessionEvents, "restoreFirst" | "wentOnline" | "wentOffline" | "retry"> {
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
  /**
   * Makes a call whose effect the change feed reports, and then loads the changes, because the server pushes nothing to the client that
   * acted. Resolves when they are applied; without an answer, which the server may have given nevertheless, it does not wait for them.
   */
  callThenResync<Answer>(call: () => Promise<Result<Answer>>): Promise<Result<Answer>>;
  /** The saved data cannot be trusted: pulls everything again. `isCleared`: another tab has already cleared the local database. */
  invalidate(isCleared: boolean): void;
}

/** What the inbox accepts from the socket. */
export type ChatIncoming = Extract<Incoming, { kind: "chat" | "loading" | "changes" }>;

/** What the inbox needs, and where it reports to. */
export interface InboxDeps extends ChatDeps {
  sharedValues: SharedValues;
  firstChats: FirstChatsLoader;
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

/** Creates the inbox; it requests nothing before `wentOnline`. */
export function createInbox(deps: InboxDeps): Inbox {
  const { stateStore, chatStore } = deps;
  const syncState = createSyncState(deps);

  const pulls = createPulls({
    ...deps,
    cursor: (type) => syncState.position().cursors[type],
    onAllEnded() {
      buffer.applyPulled();
      if (CHAT_TYPES.every(pulls.isDone)) deps.firstChats.end();
    },
  });

  const changeFeed = createChangeFeed({
    ...deps,
    since: () => feedQuery(syncState.position(), deps.sharedValues.haveFeed()),
    onAnswer: applyChanges,
  });

  const buffer = createInputBuffer({
    clock: deps.ports.clock,
    isLoading: pulls.isLoading,
    onPulled: apply,
    onLive: applyLive,
  });

  /** The last answer of the change feed was full. */
  let hasMoreChanges = false;

  /** Applies inputs and moves to the position after them, which is saved in one write with them. */
  function apply(inputs: readonly ChatInput[]): void {
    chatStore.dispatch(inputs, syncState.advance(pulls));
    if (!hasMoreChanges) return;
    hasMoreChanges = false;
    changeFeed.request();
  }

  function applyLive(inputs: readonly ChatInput[], pushedRows: readonly LiveRow[]): void {
    const before = stateStore.get().chats;
    stateStore.batch(() => {
      for (const input of inputs) if (input.kind === "row") deps.onLiveRow(input);
      apply(inputs);
    });
    deps.onLiveRowsApplied(pushedRows, before);
  }

  function applyChanges(changes: UserChanges): void {
    stateStore.batch(() => {
      for (const key of chatsReadFurtherHere(changes, stateStore.get().chats)) deps.onServerBehind(key);
      deps.sharedValues.applyFeed(changes);
      for (const input of inputsOfChanges(changes)) buffer.add(input);
      syncState.setNextToken(changes.next);
      syncState.setNextExtras(changes.extrasNext);
      hasMoreChanges = changes.extras.length >= EXTRA_CHANGES_MAX;
      // An answer without changes also moves the token.
      if (!pulls.isLoading() && buffer.isIdle()) apply([]);
    });
  }

  function receiveLoading({
    type,
    isOn,
    fromId,
    extras,
    hasFailed,
  }: Extract<Incoming, { kind: "loading" }>): void {
    if (isOn) pulls.markStarted(type);
    if (extras !== null) syncState.setPulledExtras(extras);
    if (fromId !== null) {
      chatStore.raiseHistoryStart(type, fromId);
      buffer.add({ kind: "gap", type, fromId, upTo: syncState.position().cursors[type] });
    }
    if (!isOn) pulls.markEnded(type, hasFailed);
  }

  function reset(isOtherServer: boolean, isCleared: boolean): void {
    syncState.forget();
    stateStore.set({ pulled: "never", firstChats: null });
    chatStore.forget();
    deps.onReset(isOtherServer, isCleared);
  }

  function resync(type: ChatType | null): Promise<void> {
    // The next socket login requests everything anyway.
    if (!changeFeed.isConnected()) return Promise.resolve();
    if (type !== null) pulls.repeat(type);
    return changeFeed.nextAnswer();
  }

  return {
    // The cursors and the token of the change feed.
    async restoreFirst() {
      await syncState.restore();
      if (syncState.hasPulled()) stateStore.set({ pulled: "before", firstChats: null });
      else deps.firstChats.load();
    },
    wentOnline(epoch) {
      stateStore.batch(() => {
        if (syncState.epoch() !== null && syncState.epoch() !== epoch) reset(true, false);
        syncState.setEpoch(epoch);
        pulls.start();
        changeFeed.start();
      });
    },
    // Applies what has arrived and leaves the cursors where no row is missing.
    wentOffline() {
      changeFeed.stop();
      stateStore.batch(() => {
        buffer.applyLive();
        pulls.stop();
        buffer.applyPulled();
        syncState.setNextToken(null);
      });
    },
    receive(incoming) {
      switch (incoming.kind) {
        case "changes":
          return changeFeed.request();
        case "loading":
          return receiveLoading(incoming);
        case "chat":
          pulls.recordReceived(incoming.type, incoming.position);
          return buffer.add(incoming.input, true);
        default:
          return incoming satisfies never;
      }
    },
    pauseCursor: syncState.pauseCursor,
    resync,
    async callThenResync(call) {
      const result = await call();
      if (result.ok) await resync(null);
      else if (result.failure.kind !== "refused") void resync(null);
      return result;
    },
    retry() {
      if (!changeFeed.isConnected()) return;
      pulls.retry();
      changeFeed.retry();
    },
    invalidate(isCleared) {
      stateStore.batch(() => {
        reset(false, isCleared);
        syncState.save();
        for (const type of CHAT_TYPES) void resync(type);
      });
    },
  };
}
