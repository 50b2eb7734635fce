import { loadChanges, type UserChanges } from "@parley/protocol/endpoints/changes";
import type { QueryOf } from "@parley/protocol/endpoint";
import type { Ports } from "../ports.ts";
import { createScope, type Scope } from "../session-scope.ts";
import type { Api } from "./api.ts";

/** Requests the change feed: at the start of a connection, when somebody asks, and again after a failure. One request at a time. */
export interface ChangeFeed {
  /** A connection begins. */
  start(): void;
  /** The connection is lost: what is still requested is dropped, and nobody waits for it any longer. */
  stop(): void;
  isConnected(): boolean;
  /** Requests the feed now, or once more after the request that is running. */
  request(): void;
  /** Resolves when a request that begins from now on has been answered, or when the connection has ended. */
  nextAnswer(): Promise<void>;
  /** The network may be back: sends a request that somebody waits for. */
  retry(): void;
}

/** What the change feed needs, and where it reports to. */
export interface ChangeFeedDeps {
  ports: Ports;
  api: Api;
  /** Up to where the changes are applied; nothing for none. */
  since(): QueryOf<typeof loadChanges>;
  onAnswer(changes: UserChanges): void;
}

const RETRY_MS = 5_000;

/** Creates the feed; it requests nothing before `start`. */
export function createChangeFeed({ ports, api, since, onAnswer }: ChangeFeedDeps): ChangeFeed {
  /** From `start` to `stop`. */
  let connection: Scope | null = null;
  let state: "idle" | "running" | "repeat" = "idle";
  let requestNumber = 0;
  /** Callers that wait for an answer to a later request than `after`: an earlier answer may lack what their action changed. */
  let waiters: { after: number; resolve: () => void }[] = [];

  function request(): void {
    if (connection === null) return;
    const { isOver } = connection;
    if (state !== "idle") {
      state = "repeat";
      return;
    }
    state = "running";
    const thisRequest = ++requestNumber;
    void api.call(loadChanges, { query: since() }, { silent: true }).then((result) => {
      if (isOver()) return;
      const shouldRepeat = state === "repeat";
      state = "idle";
      if (result.ok) {
        onAnswer(result.value);
        resolveWaiters(thisRequest);
      } else ports.clock.after(RETRY_MS, () => isOver() || request());
      if (shouldRepeat) request();
    });
  }

  function resolveWaiters(number: number): void {
    const resolved = waiters.filter(({ after }) => after < number);
    waiters = waiters.filter(({ after }) => after >= number);
    for (const { resolve } of resolved) resolve();
  }

  return {
    start() {
      connection?.end();
      connection = createScope();
      state = "idle";
      request();
    },
    stop() {
      connection?.end();
      connection = null;
      resolveWaiters(Infinity);
    },
    isConnected: () => connection !== null,
    request,
    nextAnswer() {
      const after = requestNumber;
      if (ports.environment.hasNetwork()) request();
      return new Promise((resolve) => waiters.push({ after, resolve }));
    },
    retry() {
      if (waiters.length > 0) request();
    },
  };
}
