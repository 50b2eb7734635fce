import { CloseCode } from "@parley/protocol/codes";
import type { LogoutReason } from "@parley/protocol/envelope";
import {
  HEARTBEAT_AFTER_REPLY_MS,
  PLAIN_FALLBACK_DELAY_MS,
  RECONNECT_DELAY_MS,
  RESEND_WHILE_CONNECTING_MS,
  SOCKET_IDLE_MS,
} from "@parley/protocol/limits";
import type { Connection } from "../state.ts";

/** The socket's machine (spec §4, protocol §7). The runtime performs the effects and feeds what happens back in. */

export type Scheme = "secure" | "plain";

/** Where the socket goes, and which schemes are allowed. */
export interface SocketAddress {
  readonly first: Scheme;
  /** On an error of the secure address the plain one is tried once: no custom address, and the page is not https. */
  readonly canFallBack: boolean;
}

export type SocketState =
  /** Nobody is logged in, or the server ended the session: nothing happens by itself. */
  | { readonly kind: "off" }
  /** A token good enough for a login is being got. */
  | {
      readonly kind: "preparing";
      readonly address: SocketAddress;
      readonly hasReportedLoss: boolean;
      readonly shouldRefresh: boolean;
    }
  /** The socket opens, then the login is on its way. */
  | {
      readonly kind: "opening";
      readonly address: SocketAddress;
      readonly hasReportedLoss: boolean;
      readonly scheme: Scheme;
      /** The token was renewed for this very login: one that is refused all the same is no reason to renew it again at once. */
      readonly isRefreshed: boolean;
      readonly isOpen: boolean;
      readonly canFallBack: boolean;
      /** When the line last gave a sign of life. */
      readonly lastFrameAt: number;
    }
  /** The secure address failed; the plain one follows after 2 s. */
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

export type SocketInput =
  | { readonly kind: "start"; readonly address: SocketAddress }
  | { readonly kind: "stop" }
  | { readonly kind: "prepared"; readonly now: number }
  /** No token could be had for now; the network may come back. */
  | { readonly kind: "notPrepared"; readonly now: number }
  | { readonly kind: "opened"; readonly now: number }
  | { readonly kind: "closed"; readonly code: number; readonly now: number }
  | { readonly kind: "loginOk" }
  | { readonly kind: "heartbeatReply" }
  /** Any frame at all came. */
  | { readonly kind: "frame"; readonly now: number }
  | { readonly kind: "forcedLogout"; readonly reason: LogoutReason; readonly text: string }
  | { readonly kind: "timer"; readonly timer: SocketTimer; readonly now: number }
  /** The person asks, or the network came back: do not wait any longer, and see whether the line is alive. */
  | { readonly kind: "reconnectNow" };

export type SocketTimer = "retry" | "fallback" | "heartbeat" | "idle" | "resend";

export type SocketEffect =
  /** Make sure of a token; `renew`: the one at hand was refused. Answer with prepared or notPrepared. */
  | { readonly kind: "prepare"; readonly shouldRefresh: boolean }
  | { readonly kind: "open"; readonly scheme: Scheme }
  | { readonly kind: "close"; readonly code: number }
  | { readonly kind: "sendLogin" }
  | { readonly kind: "sendHeartbeat" }
  | { readonly kind: "setTimer"; readonly timer: SocketTimer; readonly ms: number }
  | { readonly kind: "clearTimer"; readonly timer: SocketTimer }
  /** This scheme logged in: it is tried first from now on. */
  | { readonly kind: "rememberScheme"; readonly scheme: Scheme }
  | { readonly kind: "wentOnline" }
  | { readonly kind: "wentOffline" }
  | { readonly kind: "noticeLost" }
  | { readonly kind: "endSession"; readonly reason: LogoutReason; readonly text: string };

export type SocketStep = readonly [SocketState, readonly SocketEffect[]];

/** Browsers allow a page 1000 and 3000-4999. This one says that the client gave a silent line up. */
const IDLE_CLOSE_CODE = 4000;

const ALL_TIMERS = ["retry", "fallback", "heartbeat", "idle", "resend"] as const;
const CLEAR_ALL: readonly SocketEffect[] = ALL_TIMERS.map((timer) => ({ kind: "clearTimer", timer }));

export function stepSocket(state: SocketState, input: SocketInput): SocketStep {
  switch (input.kind) {
    case "start":
      return state.kind === "off" ? prepare(input.address, false, false) : [state, []];
    case "stop":
      return stop(state);
    case "prepared":
      return state.kind === "preparing"
        ? open({ ...state, isRefreshed: state.shouldRefresh }, state.address.first, input.now)
        : [state, []];
    case "notPrepared":
      return state.kind === "preparing" ? wait(state, input.now, state.shouldRefresh) : [state, []];
    case "opened":
      return opened(state, input.now);
    case "closed":
      return closed(state, input.code, input.now);
    case "loginOk":
      return loggedIn(state);
    case "heartbeatReply":
      return state.kind === "online" ? [state, [timer("heartbeat", HEARTBEAT_AFTER_REPLY_MS)]] : [state, []];
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
    [timer("idle", SOCKET_IDLE_MS), { kind: "open", scheme }],
  ];
}

function opened(state: SocketState, now: number): SocketStep {
  if (state.kind !== "opening") return [state, []];
  return [{ ...state, isOpen: true, lastFrameAt: now }, [{ kind: "sendLogin" }]];
}

function loggedIn(state: SocketState): SocketStep {
  if (state.kind !== "opening" || !state.isOpen) return [state, []];
  return [
    { kind: "online", address: { ...state.address, first: state.scheme }, lastFrameAt: state.lastFrameAt },
    [
      { kind: "clearTimer", timer: "resend" },
      { kind: "rememberScheme", scheme: state.scheme },
      { kind: "sendHeartbeat" },
      { kind: "wentOnline" },
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
      [...CLEAR_ALL, timer("fallback", PLAIN_FALLBACK_DELAY_MS)],
    ];
  }
  if (code !== CloseCode.BAD_TOKEN) return wait(state, now, false);
  return state.kind === "opening" && state.isRefreshed ? wait(state, now, true) : refreshAtOnce(state);
}

/** The token is refused: whether the session is over shows now, and not when the next try is due. */
function refreshAtOnce(state: Extract<SocketState, { kind: "opening" | "online" }>): SocketStep {
  const [next, effects] = prepare(state.address, state.kind === "opening" && state.hasReportedLoss, true);
  const offline: SocketEffect[] = state.kind === "online" ? [{ kind: "wentOffline" }] : [];
  return [next, [...CLEAR_ALL, ...offline, ...effects]];
}

/** Exactly 15 s from the close; said once per loss, not per try. */
function wait(
  state: Extract<SocketState, { kind: "preparing" | "opening" | "online" }>,
  now: number,
  shouldRefresh: boolean,
): SocketStep {
  const hadReportedLoss = state.kind !== "online" && state.hasReportedLoss;
  return [
    {
      kind: "waiting",
      address: state.address,
      retryAt: now + RECONNECT_DELAY_MS,
      shouldRefresh,
    },
    [
      ...CLEAR_ALL,
      timer("retry", RECONNECT_DELAY_MS),
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

/** Forced logout, ban, deregistration: closed for good, nothing reconnects (spec §4). */
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
      // A clock that was set back would make it wait until that time comes again.
      const lastFrameAt = Math.min(state.lastFrameAt, now);
      const left = lastFrameAt + SOCKET_IDLE_MS - now;
      if (left > 0) return [{ ...state, lastFrameAt }, [timer("idle", left)]];
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
      // What is to be sent while the socket still connects is tried again each second (spec §4).
      return [state, [timer("resend", RESEND_WHILE_CONNECTING_MS)]];
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

function timer(name: SocketTimer, ms: number): SocketEffect {
  return { kind: "setTimer", timer: name, ms };
}

/** What screens show of it. */
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
