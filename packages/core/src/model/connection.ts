import { CloseCode } from "@parley/protocol/codes";
import type { LogoutReason } from "@parley/protocol/envelope";
import {
  HEARTBEAT_AFTER_REPLY_MS,
  PLAIN_FALLBACK_DELAY_MS,
  RECONNECT_DELAY_MS,
  RESEND_WHILE_CONNECTING_MS,
  SOCKET_IDLE_MS,
} from "@parley/protocol/limits";
import type { Connection } from "./state.ts";

/** The socket's machine (spec §4, protocol §7). The runtime performs the effects and feeds what happens back in. */

export type Scheme = "secure" | "plain";

/** Where the socket goes, and which schemes are allowed. */
export interface Address {
  readonly first: Scheme;
  /** On an error of the secure address the plain one is tried once: no custom address, and the page is not https. */
  readonly mayFallBack: boolean;
}

export type Link =
  /** Nobody is logged in, or the server ended the session: nothing happens by itself. */
  | { readonly kind: "off" }
  /** A token good enough for a login is being got. */
  | {
      readonly kind: "preparing";
      readonly address: Address;
      readonly isLost: boolean;
      readonly renew: boolean;
    }
  /** The socket opens, then the login is on its way. */
  | {
      readonly kind: "opening";
      readonly address: Address;
      readonly isLost: boolean;
      readonly scheme: Scheme;
      /** The token was renewed for this very login: one that is refused all the same is no reason to renew it again at once. */
      readonly isRenewed: boolean;
      readonly isOpen: boolean;
      readonly mayFallBack: boolean;
      /** When the line last gave a sign of life. */
      readonly heardAt: number;
    }
  /** The secure address failed; the plain one follows after 2 s. */
  | {
      readonly kind: "fallingBack";
      readonly address: Address;
      readonly isLost: boolean;
      readonly isRenewed: boolean;
    }
  | { readonly kind: "online"; readonly address: Address; readonly heardAt: number }
  | {
      readonly kind: "waiting";
      readonly address: Address;
      readonly retryAt: number;
      readonly renew: boolean;
    };

export type LinkInput =
  | { readonly kind: "start"; readonly address: Address }
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
  | { readonly kind: "timer"; readonly timer: Timer; readonly now: number }
  /** The person asks, or the network came back: do not wait any longer, and see whether the line is alive. */
  | { readonly kind: "hurry" };

export type Timer = "retry" | "fallback" | "heartbeat" | "idle" | "resend";

export type LinkEffect =
  /** Make sure of a token; `renew`: the one at hand was refused. Answer with prepared or notPrepared. */
  | { readonly kind: "prepare"; readonly renew: boolean }
  | { readonly kind: "open"; readonly scheme: Scheme }
  | { readonly kind: "close"; readonly code: number }
  | { readonly kind: "sendLogin" }
  | { readonly kind: "sendHeartbeat" }
  | { readonly kind: "setTimer"; readonly timer: Timer; readonly ms: number }
  | { readonly kind: "clearTimer"; readonly timer: Timer }
  /** This scheme logged in: it is tried first from now on. */
  | { readonly kind: "rememberScheme"; readonly scheme: Scheme }
  | { readonly kind: "wentOnline" }
  | { readonly kind: "wentOffline" }
  | { readonly kind: "noticeLost" }
  | { readonly kind: "endSession"; readonly reason: LogoutReason; readonly text: string };

export type LinkStep = readonly [Link, readonly LinkEffect[]];

/** Browsers allow a page 1000 and 3000-4999. This one says that the client gave a silent line up. */
const SILENT_LINE = 4000;

const ALL_TIMERS = ["retry", "fallback", "heartbeat", "idle", "resend"] as const;
const CLEAR_ALL: readonly LinkEffect[] = ALL_TIMERS.map((timer) => ({ kind: "clearTimer", timer }));

export function stepLink(link: Link, input: LinkInput): LinkStep {
  switch (input.kind) {
    case "start":
      return link.kind === "off" ? prepare(input.address, false, false) : [link, []];
    case "stop":
      return stop(link);
    case "prepared":
      return link.kind === "preparing"
        ? open({ ...link, isRenewed: link.renew }, link.address.first, input.now)
        : [link, []];
    case "notPrepared":
      return link.kind === "preparing" ? wait(link, input.now, link.renew) : [link, []];
    case "opened":
      return opened(link, input.now);
    case "closed":
      return closed(link, input.code, input.now);
    case "loginOk":
      return loggedIn(link);
    case "heartbeatReply":
      return link.kind === "online" ? [link, [timer("heartbeat", HEARTBEAT_AFTER_REPLY_MS)]] : [link, []];
    case "frame":
      return [isConnected(link) ? { ...link, heardAt: input.now } : link, []];
    case "forcedLogout":
      return endByServer(link, input.reason, input.text);
    case "timer":
      return timerFired(link, input.timer, input.now);
    case "hurry":
      return hurry(link);
    default:
      return input satisfies never;
  }
}

function prepare(address: Address, isLost: boolean, renew: boolean): LinkStep {
  return [{ kind: "preparing", address, isLost, renew }, [{ kind: "prepare", renew }]];
}

function open(
  { address, isLost, isRenewed }: { address: Address; isLost: boolean; isRenewed: boolean },
  scheme: Scheme,
  now: number,
): LinkStep {
  const mayFallBack = address.mayFallBack && scheme === "secure";
  return [
    { kind: "opening", address, isLost, isRenewed, scheme, isOpen: false, mayFallBack, heardAt: now },
    [timer("idle", SOCKET_IDLE_MS), { kind: "open", scheme }],
  ];
}

function opened(link: Link, now: number): LinkStep {
  if (link.kind !== "opening") return [link, []];
  return [{ ...link, isOpen: true, heardAt: now }, [{ kind: "sendLogin" }]];
}

function loggedIn(link: Link): LinkStep {
  if (link.kind !== "opening" || !link.isOpen) return [link, []];
  return [
    { kind: "online", address: { ...link.address, first: link.scheme }, heardAt: link.heardAt },
    [
      { kind: "clearTimer", timer: "resend" },
      { kind: "rememberScheme", scheme: link.scheme },
      { kind: "sendHeartbeat" },
      { kind: "wentOnline" },
    ],
  ];
}

function closed(link: Link, code: number, now: number): LinkStep {
  if (!isConnected(link)) return [link, []];
  if (code === CloseCode.DELIBERATE) return stop(link);
  if (link.kind === "opening" && !link.isOpen && link.mayFallBack) {
    const { address, isLost, isRenewed } = link;
    return [
      { kind: "fallingBack", address, isLost, isRenewed },
      [...CLEAR_ALL, timer("fallback", PLAIN_FALLBACK_DELAY_MS)],
    ];
  }
  if (code !== CloseCode.BAD_TOKEN) return wait(link, now, false);
  return link.kind === "opening" && link.isRenewed ? wait(link, now, true) : renewAtOnce(link);
}

/** The token is refused: whether the session is over shows now, and not when the next try is due. */
function renewAtOnce(link: Extract<Link, { kind: "opening" | "online" }>): LinkStep {
  const [next, effects] = prepare(link.address, link.kind === "opening" && link.isLost, true);
  const offline: LinkEffect[] = link.kind === "online" ? [{ kind: "wentOffline" }] : [];
  return [next, [...CLEAR_ALL, ...offline, ...effects]];
}

/** Exactly 15 s from the close; said once per loss, not per try. */
function wait(
  link: Extract<Link, { kind: "preparing" | "opening" | "online" }>,
  now: number,
  renew: boolean,
): LinkStep {
  const wasLost = link.kind !== "online" && link.isLost;
  return [
    { kind: "waiting", address: link.address, retryAt: now + RECONNECT_DELAY_MS, renew },
    [
      ...CLEAR_ALL,
      timer("retry", RECONNECT_DELAY_MS),
      ...(link.kind === "online" ? [{ kind: "wentOffline" } as const] : []),
      ...(wasLost ? [] : [{ kind: "noticeLost" } as const]),
    ],
  ];
}

function stop(link: Link): LinkStep {
  if (link.kind === "off") return [link, []];
  return [
    { kind: "off" },
    [
      ...CLEAR_ALL,
      ...(isConnected(link) ? [{ kind: "close", code: CloseCode.DELIBERATE } as const] : []),
      ...(link.kind === "online" ? [{ kind: "wentOffline" } as const] : []),
    ],
  ];
}

/** Forced logout, ban, deregistration: closed for good, nothing reconnects (spec §4). */
function endByServer(link: Link, reason: LogoutReason, text: string): LinkStep {
  const [next, effects] = stop(link);
  return link.kind === "off" ? [next, effects] : [next, [...effects, { kind: "endSession", reason, text }]];
}

function timerFired(link: Link, name: Timer, now: number): LinkStep {
  switch (name) {
    case "retry":
      return link.kind === "waiting" ? prepare(link.address, true, link.renew) : [link, []];
    case "fallback":
      return link.kind === "fallingBack" ? open(link, "plain", now) : [link, []];
    case "heartbeat":
      return link.kind === "online" ? [link, [{ kind: "sendHeartbeat" }]] : [link, []];
    case "resend":
      return hurry(link);
    case "idle": {
      if (!isConnected(link)) return [link, []];
      // A clock that was set back would make it wait until that time comes again.
      const heardAt = Math.min(link.heardAt, now);
      const left = heardAt + SOCKET_IDLE_MS - now;
      if (left > 0) return [{ ...link, heardAt }, [timer("idle", left)]];
      const [next, effects] = closed(link, SILENT_LINE, now);
      return [next, [{ kind: "close", code: SILENT_LINE }, ...effects]];
    }
    default:
      return name satisfies never;
  }
}

function hurry(link: Link): LinkStep {
  switch (link.kind) {
    case "waiting":
      return withCleared(prepare(link.address, true, link.renew));
    case "online":
      return [link, [{ kind: "sendHeartbeat" }]];
    case "opening":
      // What is to be sent while the socket still connects is tried again each second (spec §4).
      return [link, [timer("resend", RESEND_WHILE_CONNECTING_MS)]];
    case "off":
    case "preparing":
    case "fallingBack":
      return [link, []];
    default:
      return link satisfies never;
  }
}

function withCleared([link, effects]: LinkStep): LinkStep {
  return [link, [{ kind: "clearTimer", timer: "retry" }, ...effects]];
}

function isConnected(link: Link): link is Extract<Link, { kind: "opening" | "online" }> {
  return link.kind === "opening" || link.kind === "online";
}

function timer(name: Timer, ms: number): LinkEffect {
  return { kind: "setTimer", timer: name, ms };
}

/** What screens show of it. */
export function connectionOf(link: Link, hasNetwork: boolean): Connection {
  if (!hasNetwork && link.kind !== "off") {
    return { kind: "offline", retryAt: link.kind === "waiting" ? link.retryAt : null };
  }
  switch (link.kind) {
    case "off":
      return { kind: "off" };
    case "preparing":
    case "opening":
    case "fallingBack":
      return { kind: "connecting" };
    case "online":
      return { kind: "online" };
    case "waiting":
      return { kind: "waiting", retryAt: link.retryAt };
    default:
      return link satisfies never;
  }
}
