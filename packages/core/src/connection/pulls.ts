import { CHAT_TYPES, ChatType } from "@parley/protocol/codes";
import {
  pullGroupMessages,
  pullPrivateMessages,
  pullSystemMessages,
} from "@parley/protocol/endpoints/messages";
import { REQUEST_TIMEOUT_MS } from "@parley/protocol/limits";
import type { Api } from "./api.ts";
import type { ChatStore } from "../chats/chat-store.ts";
import type { Ports } from "../ports.ts";
import type { StateStore } from "../state-store.ts";

/** The offline pulls of one connection: requested at its start and again when they fail, ended by the server (spec §4, protocol §7). */
export interface Pulls {
  /** A connection begins: requests all three kinds. */
  start(): void;
  /** Requests one kind once more on the same connection; without a network, `retry` does it later. */
  repeat(type: ChatType): void;
  /** The network may be back while the connection has survived: requests what is not done. */
  retry(): void;
  /** The connection is lost. Afterwards nothing is loading; `isDone` keeps its value until `start`. */
  stop(): void;
  isLoading(): boolean;
  /** Whether the pull has ended on this connection, so that pushes no longer leave a gap. */
  isDone(type: ChatType): boolean;
  /** Highest position received on this connection. */
  newestPosition(type: ChatType): number;
  /** A frame of this kind was received; rows have a position. */
  recordReceived(type: ChatType, position: number | null): void;
  markStarted(type: ChatType): void;
  /** `hasFailed`: the server could not send all rows. */
  markEnded(type: ChatType, hasFailed: boolean): void;
}

interface Pull {
  isRunning: boolean;
  isDone: boolean;
  /** Pull again after this one, which may have begun before the wanted rows were stored. */
  shouldRepeat: boolean;
  newestPosition: number;
  lastReceivedAt: number;
  /** Cancels the timer that watches the running pull, or that requests it again. */
  cancelWatch: (() => void) | null;
}

const RETRY_MS = 5_000;

/** What pulls need. */
export interface PullsDeps {
  ports: Ports;
  api: Api;
  stateStore: StateStore;
  chatStore: ChatStore;
  /** The position at which the next pull of a kind begins. */
  cursor(type: ChatType): number;
  /** The last running pull has ended or was given up. */
  onAllEnded(): void;
}

/** Creates the pulls; nothing is requested before `start`. */
export function createPulls(deps: PullsDeps): Pulls {
  const { ports, api, stateStore, chatStore } = deps;
  let pulls = newPulls();

  const isLoading = () => CHAT_TYPES.some((type) => pulls[type].isRunning);

  function markRunning(type: ChatType): void {
    const pull = pulls[type];
    pull.isRunning = true;
    pull.lastReceivedAt = ports.clock.now();
    chatStore.dispatch([{ kind: "loading", type, isOn: true }]);
    watch(type, REQUEST_TIMEOUT_MS);
  }

  function requestPull(type: ChatType): void {
    const pull = pulls[type];
    markRunning(type);
    void callPull(api, type, deps.cursor(type)).then((isAccepted) => {
      // Each connection has new pulls.
      if (pull === pulls[type] && !isAccepted && pull.isRunning) endAndRetry(type);
    });
  }

  /** A pull that stops sending rows without an end is requested again. */
  function watch(type: ChatType, ms: number): void {
    const pull = pulls[type];
    pull.cancelWatch?.();
    pull.cancelWatch = ports.clock.after(ms, () => {
      const now = ports.clock.now();
      pull.lastReceivedAt = Math.min(pull.lastReceivedAt, now);
      const remainingMs = pull.lastReceivedAt + REQUEST_TIMEOUT_MS - now;
      if (remainingMs > 0) watch(type, remainingMs);
      else endAndRetry(type);
    });
  }

  /** Shows what was received and requests the pull again later: one kind that fails must not hold back the others. */
  function endAndRetry(type: ChatType): void {
    end(type, false);
    // If it is given up again before this time is over, it is still requested only once.
    pulls[type].cancelWatch = ports.clock.after(RETRY_MS, () => {
      if (!pulls[type].isRunning && !pulls[type].isDone) requestPull(type);
    });
  }

  function end(type: ChatType, isDone: boolean): void {
    stopRunning(pulls[type]);
    pulls[type].isDone ||= isDone;
    stateStore.batch(() => {
      chatStore.dispatch([{ kind: "loading", type, isOn: false }]);
      if (!isLoading()) deps.onAllEnded();
    });
  }

  return {
    start() {
      pulls = newPulls();
      for (const type of CHAT_TYPES) requestPull(type);
    },
    stop() {
      for (const type of CHAT_TYPES) {
        const wasRunning = pulls[type].isRunning;
        stopRunning(pulls[type]);
        if (wasRunning) chatStore.dispatch([{ kind: "loading", type, isOn: false }]);
      }
    },
    repeat(type) {
      pulls[type].isDone = false;
      if (pulls[type].isRunning) pulls[type].shouldRepeat = true;
      else if (ports.environment.hasNetwork()) requestPull(type);
    },
    retry() {
      for (const type of CHAT_TYPES) if (!pulls[type].isRunning && !pulls[type].isDone) requestPull(type);
    },
    isLoading,
    isDone: (type) => pulls[type].isDone,
    newestPosition: (type) => pulls[type].newestPosition,
    recordReceived(type, position) {
      const pull = pulls[type];
      if (position !== null) pull.newestPosition = Math.max(pull.newestPosition, position);
      pull.lastReceivedAt = ports.clock.now();
    },
    markStarted(type) {
      // A pull that was given up may start after all.
      if (!pulls[type].isRunning) markRunning(type);
    },
    markEnded(type, hasFailed) {
      if (!pulls[type].isRunning) return;
      if (hasFailed) endAndRetry(type);
      else if (pulls[type].shouldRepeat) {
        pulls[type].shouldRepeat = false;
        requestPull(type);
      } else end(type, true);
    },
  };
}

/** Asks the server for the rows of one kind from a position on. Resolves with whether it will send them. */
async function callPull(api: Api, type: ChatType, from: number): Promise<boolean> {
  const options = { silent: true };
  switch (type) {
    case ChatType.PRIVATE:
      return (await api.call(pullPrivateMessages, { query: { minId: from } }, options)).ok;
    case ChatType.GROUP:
      return (await api.call(pullGroupMessages, { query: { minId: from } }, options)).ok;
    case ChatType.SYSTEM:
      return (await api.call(pullSystemMessages, { query: { minSeqNo: from } }, options)).ok;
    default:
      return type satisfies never;
  }
}

function stopRunning(pull: Pull): void {
  pull.cancelWatch?.();
  pull.cancelWatch = null;
  pull.isRunning = false;
}

function newPulls(): Record<ChatType, Pull> {
  const pull = (): Pull => ({
    isRunning: false,
    isDone: false,
    shouldRepeat: false,
    newestPosition: 0,
    lastReceivedAt: 0,
    cancelWatch: null,
  });
  return { PRIVATE: pull(), GROUP: pull(), SYSTEM: pull() };
}
