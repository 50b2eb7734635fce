import { CHAT_TYPES, ChatType } from "@parley/protocol/codes";
import {
  pullGroupMessages,
  pullPrivateMessages,
  pullSystemMessages,
} from "@parley/protocol/endpoints/messages";
import { REQUEST_TIMEOUT_MS } from "@parley/protocol/limits";
import type { Api } from "./api.ts";
import type { Desk } from "./desk.ts";
import type { Ports } from "./ports.ts";
import type { Store } from "./store.ts";

/** The offline pulls of one connection: asked at its start, ended by the server, asked again when they fail (spec §4, protocol §7). */
export interface Pulls {
  /** A connection begins: asks for all three kinds. */
  start(): void;
  /** Asks for one kind once more on a connection that runs; without a network `retry` does. */
  again(type: ChatType): void;
  /** The network may be back on a connection that has outlived its loss. */
  retry(): void;
  /** The connection is gone. Afterwards nothing is loading; what is done is known until `start`. */
  cut(): void;
  forget(): void;
  isLoading(): boolean;
  /** Ended on this connection: from here on pushes leave no hole. */
  isDone(type: ChatType): boolean;
  /** Highest position received on this connection. */
  seen(type: ChatType): number;
  /** Something of this kind came; rows have a position. */
  noteReceived(type: ChatType, position: number | null): void;
  noteBegin(type: ChatType): void;
  /** `hasFailed`: the server could not send all of it. */
  noteEnd(type: ChatType, hasFailed: boolean): void;
}

interface Pull {
  isRunning: boolean;
  isDone: boolean;
  /** Wanted once more: what runs may have begun before what is looked for. */
  isAgain: boolean;
  seen: number;
  heardAt: number;
  /** Of the watch over what runs, or of the time until it is asked again. */
  cancelWatch: (() => void) | null;
}

const RETRY_MS = 5_000;

export interface PullsDeps {
  ports: Ports;
  api: Api;
  store: Store;
  desk: Desk;
  /** Where the next pull of a kind begins. */
  cursor(type: ChatType): number;
  /** The last pull that ran has ended, or was given up. */
  onQuiet(): void;
}

export function createPulls(deps: PullsDeps): Pulls {
  const { ports, api, store, desk } = deps;
  let pulls = newPulls();
  /** Rises with every connection; answers and timers of an older one are dropped. */
  let generation = 0;

  const isLoading = () => CHAT_TYPES.some((type) => pulls[type].isRunning);

  function run(type: ChatType): void {
    const pull = pulls[type];
    pull.isRunning = true;
    pull.heardAt = ports.clock.now();
    desk.apply([{ kind: "loading", type, isOn: true }]);
    watch(type, REQUEST_TIMEOUT_MS);
  }

  function ask(type: ChatType): void {
    const pull = pulls[type];
    const asked = generation;
    run(type);
    void request(type).then((isAccepted) => {
      if (asked === generation && !isAccepted && pull.isRunning) giveUp(type);
    });
  }

  async function request(type: ChatType): Promise<boolean> {
    const options = { quiet: true };
    const from = deps.cursor(type);
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

  /** A pull whose rows stop coming without an end is asked for again. */
  function watch(type: ChatType, ms: number): void {
    const pull = pulls[type];
    pull.cancelWatch?.();
    pull.cancelWatch = ports.clock.after(ms, () => {
      const now = ports.clock.now();
      pull.heardAt = Math.min(pull.heardAt, now);
      const left = pull.heardAt + REQUEST_TIMEOUT_MS - now;
      if (left > 0) watch(type, left);
      else giveUp(type);
    });
  }

  /** Shows what has come, and asks again after a while: one kind that fails must not hide the others. */
  function giveUp(type: ChatType): void {
    const asked = generation;
    end(type, false);
    // Given up again before this time is over, it is still asked once.
    pulls[type].cancelWatch = ports.clock.after(RETRY_MS, () => {
      if (asked === generation && !pulls[type].isRunning && !pulls[type].isDone) ask(type);
    });
  }

  function end(type: ChatType, isDone: boolean): void {
    const pull = pulls[type];
    pull.cancelWatch?.();
    pull.cancelWatch = null;
    pull.isRunning = false;
    pull.isDone ||= isDone;
    store.batch(() => {
      desk.apply([{ kind: "loading", type, isOn: false }]);
      if (!isLoading()) deps.onQuiet();
    });
  }

  return {
    start() {
      generation++;
      pulls = newPulls();
      for (const type of CHAT_TYPES) ask(type);
    },
    cut() {
      generation++;
      for (const type of CHAT_TYPES) {
        const pull = pulls[type];
        pull.cancelWatch?.();
        pull.cancelWatch = null;
        if (!pull.isRunning) continue;
        pull.isRunning = false;
        desk.apply([{ kind: "loading", type, isOn: false }]);
      }
    },
    forget() {
      pulls = newPulls();
    },
    again(type) {
      pulls[type].isDone = false;
      if (pulls[type].isRunning) pulls[type].isAgain = true;
      else if (ports.environment.hasNetwork()) ask(type);
    },
    retry() {
      for (const type of CHAT_TYPES) if (!pulls[type].isRunning && !pulls[type].isDone) ask(type);
    },
    isLoading,
    isDone: (type) => pulls[type].isDone,
    seen: (type) => pulls[type].seen,
    noteReceived(type, position) {
      const pull = pulls[type];
      if (position !== null) pull.seen = Math.max(pull.seen, position);
      pull.heardAt = ports.clock.now();
    },
    noteBegin(type) {
      // A pull that was given up may begin after all.
      if (!pulls[type].isRunning) run(type);
    },
    noteEnd(type, hasFailed) {
      if (!pulls[type].isRunning) return;
      if (hasFailed) giveUp(type);
      else if (pulls[type].isAgain) {
        pulls[type].isAgain = false;
        ask(type);
      } else end(type, true);
    },
  };
}

function newPulls(): Record<ChatType, Pull> {
  const pull = (): Pull => ({
    isRunning: false,
    isDone: false,
    isAgain: false,
    seen: 0,
    heardAt: 0,
    cancelWatch: null,
  });
  return { PRIVATE: pull(), GROUP: pull(), SYSTEM: pull() };
}
