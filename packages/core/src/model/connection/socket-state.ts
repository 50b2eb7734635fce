import { CloseCode } from "@parley/protocol/codes";
import type { LogoutReason } from "@parley/protocol/envelope";
import {
  FLOODED_RECONNECT_DELAY_MS,
  HEARTBEAT_AFTER_REPLY_MS,
  PLAIN_FALLBACK_DELAY_MS,
  RECONNECT_DELAY_MS,
  RESEND_WHILE_CONNECTING_MS,
  SOCKET_IDLE_MS,
} from "@parley/protocol/limits";
import type { Connection } from "../state.ts";

/** The state machine of the socket (spec §4, protocol §7). The caller performs the effects and reports events as inputs. */

/** wss or ws. */
export type Scheme = "secure" | "plain";

/** Which scheme to try first, and whether the other one is allowed. */
export interface SocketAddress {
  readonly first: Scheme;
  /** If the secure scheme fails, the plain one is tried once: there is no custom address, and the page is not https. */
  readonly canFallBack: boolean;
}

/** Where the connection stands. */
export type SocketState =
  /** Nobody is logged in, or the server ended the session. Only `start` leaves this state. */
  | { readonly kind: "off" }
  /** The caller gets a valid access token. */
  | {
      readonly kind: "preparing";
      readonly address: SocketAddress;
      readonly hasReportedLoss: boolean;
      readonly shouldRefresh: boolean;
    }
  /** The socket is opening, or it is open and the login is not answered yet. */
  | {
      readonly kind: "opening";
      readonly address: SocketAddress;
      readonly hasReportedLoss: boolean;
      readonly scheme: Scheme;
      /** The token was refreshed for this login. If it is refused all the same, it is not refreshed again at once. */
      readonly isRefreshed: boolean;
      readonly isOpen: boolean;
      readonly canFallBack: boolean;
      /** When the last frame arrived. */
      readonly lastFrameAt: number;
    }
  /** The secure scheme failed; the plain one is tried after 2 s. */
  | {
      readonly kind: "fallingBack";
      readonly address: SocketAddress;
      readonly hasReportedLoss: boolean;
      readonly isRefreshed: boolean;
    }
  | { readonly kind: "online"; readonly address: SocketAddress; readonly lastFrameAt: number }
  | {
      readonly kind: "waiting";
      readonly address: SocketAddress;
      readonly retryAt: number;
      readonly shouldRefresh: boolean;
    };

/** What happened to the connection. */
export type SocketInput =
  | { readonly kind: "start"; readonly address: SocketAddress }
  | { readonly kind: "stop" }
  /** `wasReplaced`: instead of the refused token there is another one, which nobody had to ask for. */
  | { readonly kind: "prepared"; readonly now: number; readonly wasReplaced?: boolean }
  /** The token could not be refreshed for now, for example without a network. */
  | { readonly kind: "notPrepared"; readonly now: number }
  | { readonly kind: "opened"; readonly now: number }
  | { readonly kind: "closed"; readonly code: number; readonly now: number }
  | { readonly kind: "loginOk"; readonly epoch: string }
  | { readonly kind: "heartbeatReply" }
  /** A frame of any kind arrived. */
  | { readonly kind: "frame"; readonly now: number }
  | { readonly kind: "forcedLogout"; readonly reason: LogoutReason; readonly text: string }
  | { readonly kind: "timer"; readonly timer: SocketTimer; readonly now: number }
  /** The person asked for it, or the network came back: do not wait any longer, or check that the connection is alive. */
  | { readonly kind: "reconnectNow" };

/** Timers that the machine sets. */
export type SocketTimer = "retry" | "fallback" | "heartbeat" | "idle" | "resend";

/** What the caller has to do. */
export type SocketEffect =
  /** Get a valid token; `shouldRefresh`: that of the last login was refused. Answer with prepared or notPrepared. */
  | { readonly kind: "prepare"; readonly shouldRefresh: boolean }
  | { readonly kind: "open"; readonly scheme: Scheme }
  | { readonly kind: "close"; readonly code: number }
  | { readonly kind: "sendLogin" }
  | { readonly kind: "sendHeartbeat" }
  | { readonly kind: "setTimer"; readonly timer: SocketTimer; readonly ms: number }
  | { readonly kind: "clearTimer"; readonly timer: SocketTimer }
  /** The login worked with this scheme: try it first from now on. */
  | { readonly kind: "rememberScheme"; readonly scheme: Scheme }
  | { readonly kind: "wentOnline"; readonly epoch: string }
  | { readonly kind: "wentOffline" }
  | { readonly kind: "noticeLost" }
  | { readonly kind: "endSession"; readonly reason: LogoutReason; readonly text: string };

/** The next state and what to do. */
export type SocketStep = readonly [SocketState, readonly SocketEffect[]];

/** The client closed an idle connection. Browsers let a page use 1000 and 3000-4999. */
const IDLE_CLOSE_CODE = 4000;

const ALL_TIMERS = ["retry", "fallback", "heartbeat", "idle", "resend"] as const;
const CLEAR_ALL: readonly SocketEffect[] = ALL_TIMERS.map((timer) => ({ kind: "clearTimer", timer }));

/** Applies one input. Inputs that do not fit the state change nothing. */
export function stepSocket(state: SocketState, input: SocketInput): SocketStep {
  switch (input.kind) {
    case "start":
      return state.kind === "off" ? prepare(input.address, false, false) : [state, []];
    case "stop":
      return stop(state);
    case "prepared":
      return state.kind === "preparing"
        ? open(
            { ...state, isRefreshed: state.shouldRefresh && input.wasReplaced !== true },
            state.address.first,
            input.now,
          )
        : [state, []];
    case "notPrepared":
      return state.kind === "preparing" ? wait(state, input.now, state.shouldRefresh) : [state, []];
    case "opened":
      return opened(state, input.now);
    case "closed":
      return closed(state, input.code, input.now);
    case "loginOk":
      return loggedIn(state, input.epoch);
    case "heartbeatReply":
      return state.kind === "online"
        ? [state, [setTimer("heartbeat", HEARTBEAT_AFTER_REPLY_MS)]]
        : [state, []];
    case "frame":
      return [isConnected(state) ? { ...state, lastFrameAt: input.now } : state, []];
    case "forcedLogout":
      return endByServer(state, input.reason, input.text);
    case "timer":
      return timerFired(state, input.timer, input.now);
    case "reconnectNow":
      return reconnectNow(state);
    default:
      return input satisfies never;
  }
}

function prepare(address: SocketAddress, hasReportedLoss: boolean, shouldRefresh: boolean): SocketStep {
  return [
    { kind: "preparing", address, hasReportedLoss, shouldRefresh },
    [{ kind: "prepare", shouldRefresh }],
  ];
}

function open(
  {
    address,
    hasReportedLoss,
    isRefreshed,
  }: { address: SocketAddress; hasReportedLoss: boolean; isRefreshed: boolean },
  scheme: Scheme,
  now: number,
): SocketStep {
  const canFallBack = address.canFallBack && scheme === "secure";
  return [
    {
      kind: "opening",
      address,
      hasReportedLoss,
      isRefreshed,
      scheme,
      isOpen: false,
      canFallBack,
      lastFrameAt: now,
    },
    [setTimer("idle", SOCKET_IDLE_MS), { kind: "open", scheme }],
  ];
}

function opened(state: SocketState, now: number): SocketStep {
  if (state.kind !== "opening") return [state, []];
  return [{ ...state, isOpen: true, lastFrameAt: now }, [{ kind: "sendLogin" }]];
}

function loggedIn(state: SocketState, epoch: string): SocketStep {
  if (state.kind !== "opening" || !state.isOpen) return [state, []];
  return [
    { kind: "online", address: { ...state.address, first: state.scheme }, lastFrameAt: state.lastFrameAt },
    [
      { kind: "clearTimer", timer: "resend" },
      { kind: "rememberScheme", scheme: state.scheme },
      { kind: "sendHeartbeat" },
      { kind: "wentOnline", epoch },
    ],
  ];
}

function closed(state: SocketState, code: number, now: number): SocketStep {
  if (!isConnected(state)) return [state, []];
  if (code === CloseCode.DELIBERATE) return stop(state);
  if (state.kind === "opening" && !state.isOpen && state.canFallBack) {
    const { address, hasReportedLoss, isRefreshed } = state;
    return [
      { kind: "fallingBack", address, hasReportedLoss, isRefreshed },
      [...CLEAR_ALL, setTimer("fallback", PLAIN_FALLBACK_DELAY_MS)],
    ];
  }
  if (code === CloseCode.TOO_MANY_FRAMES) return wait(state, now, false, FLOODED_RECONNECT_DELAY_MS);
  if (code !== CloseCode.BAD_TOKEN) return wait(state, now, false);
  return state.kind === "opening" && state.isRefreshed ? wait(state, now, true) : refreshAtOnce(state);
}

/** The token was refused. Refresh it now rather than at the next attempt: the refresh shows whether the session has ended. */
function refreshAtOnce(state: Extract<SocketState, { kind: "opening" | "online" }>): SocketStep {
  const [next, effects] = prepare(state.address, state.kind === "opening" && state.hasReportedLoss, true);
  const offline: SocketEffect[] = state.kind === "online" ? [{ kind: "wentOffline" }] : [];
  return [next, [...CLEAR_ALL, ...offline, ...effects]];
}

/** Waits exactly 15 s from the close, unless it says otherwise. A loss is reported once, not at each attempt. */
function wait(
  state: Extract<SocketState, { kind: "preparing" | "opening" | "online" }>,
  now: number,
  shouldRefresh: boolean,
  delayMs = RECONNECT_DELAY_MS,
): SocketStep {
  const hadReportedLoss = state.kind !== "online" && state.hasReportedLoss;
  return [
    {
      kind: "waiting",
      address: state.address,
      retryAt: now + delayMs,
      shouldRefresh,
    },
    [
      ...CLEAR_ALL,
      setTimer("retry", delayMs),
      ...(state.kind === "online" ? [{ kind: "wentOffline" } as const] : []),
      ...(hadReportedLoss ? [] : [{ kind: "noticeLost" } as const]),
    ],
  ];
}

function stop(state: SocketState): SocketStep {
  if (state.kind === "off") return [state, []];
  return [
    { kind: "off" },
    [
      ...CLEAR_ALL,
      ...(isConnected(state) ? [{ kind: "close", code: CloseCode.DELIBERATE } as const] : []),
      ...(state.kind === "online" ? [{ kind: "wentOffline" } as const] : []),
    ],
  ];
}

/** Forced logout, ban or deregistration: closes for good, without reconnecting (spec §4). */
function endByServer(state: SocketState, reason: LogoutReason, text: string): SocketStep {
  const [next, effects] = stop(state);
  return state.kind === "off" ? [next, effects] : [next, [...effects, { kind: "endSession", reason, text }]];
}

function timerFired(state: SocketState, name: SocketTimer, now: number): SocketStep {
  switch (name) {
    case "retry":
      return state.kind === "waiting" ? prepare(state.address, true, state.shouldRefresh) : [state, []];
    case "fallback":
      return state.kind === "fallingBack" ? open(state, "plain", now) : [state, []];
    case "heartbeat":
      return state.kind === "online" ? [state, [{ kind: "sendHeartbeat" }]] : [state, []];
    case "resend":
      return reconnectNow(state);
    case "idle": {
      if (!isConnected(state)) return [state, []];
      // If the clock was set back, the old time would delay the check by as much.
      const lastFrameAt = Math.min(state.lastFrameAt, now);
      const remainingMs = lastFrameAt + SOCKET_IDLE_MS - now;
      if (remainingMs > 0) return [{ ...state, lastFrameAt }, [setTimer("idle", remainingMs)]];
      const [next, effects] = closed(state, IDLE_CLOSE_CODE, now);
      return [next, [{ kind: "close", code: IDLE_CLOSE_CODE }, ...effects]];
    }
    default:
      return name satisfies never;
  }
}

function reconnectNow(state: SocketState): SocketStep {
  switch (state.kind) {
    case "waiting":
      return withRetryCleared(prepare(state.address, true, state.shouldRefresh));
    case "online":
      return [state, [{ kind: "sendHeartbeat" }]];
    case "opening":
      // A send while the socket still connects is tried again each second (spec §4).
      return [state, [setTimer("resend", RESEND_WHILE_CONNECTING_MS)]];
    case "off":
    case "preparing":
    case "fallingBack":
      return [state, []];
    default:
      return state satisfies never;
  }
}

function withRetryCleared([state, effects]: SocketStep): SocketStep {
  return [state, [{ kind: "clearTimer", timer: "retry" }, ...effects]];
}

function isConnected(state: SocketState): state is Extract<SocketState, { kind: "opening" | "online" }> {
  return state.kind === "opening" || state.kind === "online";
}

function setTimer(name: SocketTimer, ms: number): SocketEffect {
  return { kind: "setTimer", timer: name, ms };
}

/** The connection as screens show it. */
export function shownConnection(state: SocketState, hasNetwork: boolean): Connection {
  if (!hasNetwork && state.kind !== "off") {
    return { kind: "offline", retryAt: state.kind === "waiting" ? state.retryAt : null };
  }
  switch (state.kind) {
    case "off":
      return { kind: "off" };
    case "preparing":
    case "opening":
    case "fallingBack":
      return { kind: "connecting" };
    case "online":
      return { kind: "online" };
    case "waiting":
      return { kind: "waiting", retryAt: state.retryAt };
    default:
      return state satisfies never;
  }
}

/** Whether two connections are the same for the person: the kind, and when the next try comes. */
export function isSameConnection(a: Connection, b: Connection): boolean {
  const retryAt = (connection: Connection) => ("retryAt" in connection ? connection.retryAt : null);
  return a.kind === b.kind && retryAt(a) === retryAt(b);
}
