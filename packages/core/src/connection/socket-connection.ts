import { Cmd } from "@parley/protocol/codes";
import { SOCKET_LOGIN_TIMEOUT_MS } from "@parley/protocol/limits";
import type { LogoutReason } from "@parley/protocol/envelope";
import type { Capability } from "@parley/protocol/frame";
import { type ReceivedFrame, parseServerFrame } from "@parley/protocol/received-frame";
import {
  isSameConnection,
  shownConnection,
  type SocketState,
  type SocketEffect,
  type SocketInput,
  stepSocket,
  type SocketTimer,
} from "../model/connection/socket-state.ts";
import type { Clock, Ports } from "../ports.ts";
import { createScope } from "../session-scope.ts";
import { createCurrentSocket } from "./current-socket.ts";
import { createKeyedTimers } from "./keyed-timers.ts";
import type { ServerAddress } from "./server-address.ts";
import type { StateStore } from "../state-store.ts";

/** What this client understands and older ones do not. */
const CLIENT_CAPABILITIES: readonly Capability[] = ["changes", "rtc110", "rtcEarlyOffer", "extras", "typing"];

/** A frame that belongs to a chat. */
export type ChatFrame = Extract<
  ReceivedFrame,
  { cmd: typeof Cmd.PRIVATE | typeof Cmd.GROUP | typeof Cmd.SYSTEM }
>;

const LOSS_NOTICE_INTERVAL_MS = 60_000;

/** Opens and closes sockets as the state machine of `model/connection/socket-state.ts` decides. */
export interface SocketConnection {
  start(): void;
  stop(): void;
  reconnectNow(): void;
  /** Sends a heartbeat, after connecting if need be. Resolves with the ms until the next reply to one; null: none within 10 s. */
  check(): Promise<number | null>;
  /** A ban or a deregistration was received in a frame. */
  endByServer(reason: LogoutReason, text: string): void;
}

/** What the socket connection needs, and where it reports to. */
export interface SocketConnectionDeps {
  ports: Ports;
  stateStore: StateStore;
  serverAddress: ServerAddress;
  deviceNo: string;
  clientId: string;
  accessToken(): string | null;
  /** Ensures a fresh access token; `shouldRefresh`: the server refused the current one, however fresh it seems. */
  ensureAccessToken(shouldRefresh: boolean): Promise<"ok" | "ended" | "failed">;
  onOnline(epoch: string): void;
  onOffline(): void;
  onFrame(frame: ChatFrame): void;
  onLost(): void;
  onEnd(reason: LogoutReason, text: string): void;
}

/** Creates the connection; it stays off until `start`. */
export function createSocketConnection(deps: SocketConnectionDeps): SocketConnection {
  const { ports, stateStore } = deps;
  let state: SocketState = { kind: "off" };
  /** Ends with the next request for a token; the answer to this one is ignored from then on. */
  let preparation = createScope();
  /** The access token of the last login. */
  let sentToken: string | null = null;
  const heartbeatChecks = createHeartbeatChecks(ports.clock);
  const noticeLoss = createLossNotices(deps.onLost);
  const timers = createKeyedTimers<SocketTimer>(ports.clock);
  const socket = createCurrentSocket(ports.sockets, {
    opened: () => dispatch({ kind: "opened", now: ports.clock.now() }),
    received: receive,
    closed: (code) => dispatch({ kind: "closed", code, now: ports.clock.now() }),
  });

  function dispatch(input: SocketInput): void {
    const [next, effects] = stepSocket(state, input);
    state = next;
    stateStore.batch(() => {
      for (const effect of effects) perform(effect);
      publishConnection();
    });
  }

  function publishConnection(): void {
    const shown = shownConnection(state, ports.environment.hasNetwork());
    if (!isSameConnection(stateStore.get().connection, shown)) stateStore.set({ connection: shown });
  }

  function perform(effect: SocketEffect): void {
    switch (effect.kind) {
      case "prepare": {
        preparation.end();
        preparation = createScope();
        const { isOver } = preparation;
        // A call, or another tab, may have refreshed the token since it was sent.
        const wasReplaced = effect.shouldRefresh && sentToken !== null && deps.accessToken() !== sentToken;
        void deps.ensureAccessToken(effect.shouldRefresh && !wasReplaced).then((outcome) => {
          // `ended` has already ended the session, and with it this connection.
          if (outcome === "ended" || isOver()) return;
          const now = ports.clock.now();
          dispatch(outcome === "ok" ? { kind: "prepared", now, wasReplaced } : { kind: "notPrepared", now });
        });
        return;
      }
      case "open":
        return socket.open(deps.serverAddress.socketUrl(effect.scheme));
      case "close":
        return socket.close(effect.code);
      case "sendLogin":
        sentToken = deps.accessToken() ?? "";
        return socket.send({ cmd: Cmd.LOGIN, data: loginData(deps, sentToken) });
      case "sendHeartbeat":
        return socket.send({ cmd: Cmd.HEARTBEAT, data: {} });
      case "setTimer":
        return timers.set(effect.timer, effect.ms, () =>
          dispatch({ kind: "timer", timer: effect.timer, now: ports.clock.now() }),
        );
      case "clearTimer":
        return timers.cancel(effect.timer);
      case "rememberScheme":
        return deps.serverAddress.rememberScheme(effect.scheme);
      case "wentOnline":
        return deps.onOnline(effect.epoch);
      case "wentOffline":
        return deps.onOffline();
      case "noticeLost":
        return noticeLoss(ports.clock.now());
      case "endSession":
        return deps.onEnd(effect.reason, effect.text);
      default:
        effect satisfies never;
    }
  }

  function receive(text: string): void {
    const frame = parseServerFrame(text);
    dispatch({ kind: "frame", now: ports.clock.now() });
    if (frame === null) {
      ports.log.warn("received an invalid frame", { length: text.length });
      return;
    }
    switch (frame.cmd) {
      case Cmd.PRIVATE:
      case Cmd.GROUP:
      case Cmd.SYSTEM:
        return deps.onFrame(frame);
      case Cmd.HEARTBEAT:
        heartbeatChecks.answer();
        return dispatch({ kind: "heartbeatReply" });
      default:
        return dispatch(inputOf(frame));
    }
  }

  ports.environment.onChange(() => {
    publishConnection();
    if (ports.environment.hasNetwork()) dispatch({ kind: "reconnectNow" });
  });

  return {
    start: () => dispatch({ kind: "start", address: deps.serverAddress.socketAddress() }),
    stop: () => dispatch({ kind: "stop" }),
    reconnectNow: () => dispatch({ kind: "reconnectNow" }),
    check() {
      const answer = heartbeatChecks.wait();
      dispatch({ kind: "reconnectNow" });
      return answer;
    },
    endByServer: (reason, text) => dispatch({ kind: "forcedLogout", reason, text }),
  };
}

function loginData({ deviceNo, clientId }: SocketConnectionDeps, accessToken: string) {
  return {
    accessToken,
    devId: deviceNo,
    clientId,
    caps: [...CLIENT_CAPABILITIES],
  };
}

/** Limits how often an unstable connection is reported; screens always show its current state. */
function createLossNotices(onLost: () => void): (now: number) => void {
  let noticedAt = -Infinity;
  return (now) => {
    if (Math.abs(now - noticedAt) < LOSS_NOTICE_INTERVAL_MS) return;
    noticedAt = now;
    onLost();
  };
}

/** Those who wait for the next reply to a heartbeat, up to 10 s. */
function createHeartbeatChecks(clock: Clock) {
  const waiters = new Set<() => void>();
  return {
    answer() {
      for (const answered of waiters) answered();
    },
    /** Resolves with the ms until the reply; null: there was none. */
    wait(): Promise<number | null> {
      return new Promise((resolve) => {
        const startedAt = clock.now();
        const finish = (ms: number | null) => {
          waiters.delete(answered);
          cancel();
          resolve(ms);
        };
        const answered = () => finish(Math.max(0, clock.now() - startedAt));
        const cancel = clock.after(SOCKET_LOGIN_TIMEOUT_MS, () => finish(null));
        waiters.add(answered);
      });
    },
  };
}

/** What a frame that belongs to no chat means for the connection. */
function inputOf(frame: Exclude<ReceivedFrame, ChatFrame | { cmd: typeof Cmd.HEARTBEAT }>): SocketInput {
  switch (frame.cmd) {
    case Cmd.LOGIN:
      return { kind: "loginOk", epoch: frame.data?.epoch ?? "" };
    case Cmd.FORCED_LOGOUT:
      return { kind: "forcedLogout", reason: frame.reason ?? "kicked", text: frame.data ?? "" };
    default:
      return frame satisfies never;
  }
}
