import { MessageType } from "@parley/protocol/codes";
import type { CallMode } from "@parley/protocol/entities";
import { CALL_HEARTBEAT_MS } from "@parley/protocol/limits";
import type { ReceivedPrivateCall } from "@parley/protocol/received-call";
import type { Failure } from "../state.ts";
import { CALL_REASONS, type CallEnd, type DeviceProblem } from "./call.ts";

/**
 * The state machine of a call between two people (spec §4). The caller performs the effects and reports events as inputs. Numbers of spec §4:
 * FREE 0 is `closed`, WAIT_CALL 1 `calling`, WAIT_ACCEPT 2 `ringing`, ACCEPTED 3 `connecting`, CHATING 4 `talking`.
 */

/** Who calls whom, and how. */
interface Parts {
  readonly userId: number;
  readonly mode: CallMode;
  readonly isCaller: boolean;
}

/** Where a call stands. */
export type PrivateCall =
  | { readonly stage: "closed" }
  /** The caller's devices are being opened. */
  | (Parts & { readonly stage: "opening" })
  /** It rings at the other side. `isCrossed`: both have called, and the other call has won; it rings here in a moment. */
  | (Parts & {
      readonly stage: "calling";
      readonly isCrossed: boolean;
      /** The server has confirmed that it rings. */
      readonly isSetUp: boolean;
    })
  /** `isPrepared`: the offer has come, and its answer waits for the accept. */
  | (Parts & { readonly stage: "ringing"; readonly isPrepared: boolean })
  /** Accepted here; the server has not confirmed it. `isConnected`: the other side was faster. */
  | (Parts & { readonly stage: "accepting"; readonly isConnected: boolean })
  | (Parts & { readonly stage: "connecting" })
  /** `isLost`: the connection has broken, and is being restored. */
  | (Parts & { readonly stage: "talking"; readonly isLost: boolean });

/** What happened. */
export type PrivateCallInput =
  | {
      readonly kind: "start";
      readonly userId: number;
      readonly mode: CallMode;
      readonly support: "ok" | "insecure" | "unsupported";
    }
  /** The microphone is open, or why not. */
  | { readonly kind: "devicesOpened"; readonly problem: DeviceProblem | null }
  | { readonly kind: "accept"; readonly withCamera: boolean }
  /** The person ends the call, at whatever stage. */
  | { readonly kind: "end" }
  /** The page is closed, or the session ends. */
  | { readonly kind: "leave" }
  | { readonly kind: "setupDone"; readonly isOfferHeld: boolean }
  /** `isCrossed`: the other person is calling me. */
  | {
      readonly kind: "setupRefused";
      readonly failure: Failure;
      readonly isCrossed: boolean;
      /** The server may have done it all the same. */
      readonly isUnanswered: boolean;
    }
  | { readonly kind: "acceptDone" }
  | { readonly kind: "acceptRefused"; readonly failure: Failure; readonly isUnanswered: boolean }
  /** The server knows no such call any more. */
  | { readonly kind: "gone" }
  /** `userId`: the other person; `isMine`: I have sent it, on another client. */
  | {
      readonly kind: "signal";
      readonly signal: ReceivedPrivateCall;
      readonly userId: number;
      readonly isMine: boolean;
      /** This device can take a call. */
      readonly canCall: boolean;
    }
  | { readonly kind: "peer"; readonly state: "connected" | "disconnected" | "failed" }
  | { readonly kind: "timer"; readonly timer: PrivateCallTimer }
  /** The network came back or changed. */
  | { readonly kind: "networkChanged" }
  /** The socket has logged in. */
  | { readonly kind: "online" };

/** Timers that the machine sets. */
export type PrivateCallTimer = "ring" | "crossed" | "connect" | "heartbeat" | "lost" | "restart" | "giveUp";

/** What the caller has to do. */
export type PrivateCallEffect =
  | { readonly kind: "openDevices"; readonly withCamera: boolean }
  | { readonly kind: "ring"; readonly which: "incoming" | "outgoing" }
  | { readonly kind: "stopRing" }
  | { readonly kind: "setup" | "accept" | "heartbeat" }
  /** Tells the server of `userId`, which may be somebody else than the person in the call. */
  | {
      readonly kind: "tell";
      readonly what: "cancel" | "reject" | "hangUp" | "failed";
      readonly userId: number;
      readonly reason?: string;
    }
  /** Makes the connection, and as the caller the offer. What it has to send waits for `sendSignals`, or goes out with `accept`. */
  | { readonly kind: "createPeer" }
  /** From now on the other side can be reached. `again`: it has dropped what was sent before. */
  | { readonly kind: "sendSignals"; readonly again: boolean }
  | { readonly kind: "toPeer"; readonly signal: PeerSignal }
  /** `repair`: the connection is not made yet. */
  | { readonly kind: "restart" | "repair" }
  | { readonly kind: "reconnectSocket" }
  | { readonly kind: "setTimer"; readonly timer: PrivateCallTimer; readonly ms: number }
  | { readonly kind: "clearTimer"; readonly timer: PrivateCallTimer }
  /** The call is over: devices, connection, sounds and timers go. `end` null: nothing has to be said. */
  | { readonly kind: "close"; readonly end: CallEnd | null };

/** Signals that the connection handles. */
export type PeerSignal = Extract<ReceivedPrivateCall, { content: Record<string, unknown> }>;

/** The next state and what to do. */
export type PrivateCallStep = readonly [PrivateCall, readonly PrivateCallEffect[]];

/** The server's ring lasts 30 s; the client waits a little longer for its end. */
const RING_GUARD_MS = 35_000;
/** How long the other call may take to ring here, when both have called. */
const CROSSED_MS = 2_000;
const CONNECT_GUARD_MS = 20_000;
/** What the caller has sent, or was sent, may be lost: then the connection is repaired after this time, and this often. */
const REPAIR_MS = 8_000;
const REPAIR_INTERVAL_MS = 4_000;
/** A connection may come back by itself within this time. */
const LOST_AFTER_MS = 2_000;
/** The callee restarts later than the caller, so that both rarely offer at once. */
const CALLEE_RESTART_MS = 2_000;
const RESTART_INTERVAL_MS = 5_000;
/** A call whose connection was lost this long is over. */
const LOST_GUARD_MS = 30_000;

export const CLOSED: PrivateCall = { stage: "closed" };

type Open = Exclude<PrivateCall, { stage: "closed" }>;

/** Applies one input. Inputs that do not fit the state change nothing. */
export function stepPrivateCall(call: PrivateCall, input: PrivateCallInput): PrivateCallStep {
  switch (input.kind) {
    case "start":
      return start(call, input);
    case "signal":
      return takeSignal(call, input);
    default:
      return call.stage === "closed" ? [call, []] : stepOpen(call, input);
  }
}

function stepOpen(
  call: Open,
  input: Exclude<PrivateCallInput, { kind: "start" | "signal" }>,
): PrivateCallStep {
  switch (input.kind) {
    case "devicesOpened":
      return devicesOpened(call, input.problem);
    case "accept":
      return call.stage === "ringing" ? accept(call, input.withCamera) : [call, []];
    case "end":
      return end(call);
    case "leave":
      return leave(call);
    case "setupDone":
      return call.stage === "calling" ? setupDone(call, input.isOfferHeld) : [call, []];
    case "setupRefused":
      return setupRefused(call, input);
    case "acceptDone":
      return call.stage === "accepting" ? acceptDone(call) : [call, []];
    case "acceptRefused":
      return acceptRefused(call, input);
    case "gone":
      return call.stage === "opening" ? [call, []] : close({ kind: "ended" });
    case "peer":
      return peerChanged(call, input.state);
    case "timer":
      return timerEnded(call, input.timer);
    case "networkChanged":
      return call.stage === "talking"
        ? [call, [{ kind: "reconnectSocket" }, { kind: "restart" }]]
        : [call, []];
    case "online":
      return cameBack(call);
    default:
      return input satisfies never;
  }
}

function close(end: CallEnd | null, ...before: PrivateCallEffect[]): PrivateCallStep {
  return [CLOSED, [...before, { kind: "close", end }]];
}

function start(
  call: PrivateCall,
  { userId, mode, support }: Extract<PrivateCallInput, { kind: "start" }>,
): PrivateCallStep {
  if (call.stage !== "closed") return [call, []];
  if (support !== "ok") return close({ kind: "notSupported", isInsecure: support === "insecure" });
  return [
    { stage: "opening", userId, mode, isCaller: true },
    [{ kind: "openDevices", withCamera: mode === "video" }],
  ];
}

function devicesOpened(call: Open, problem: DeviceProblem | null): PrivateCallStep {
  // Who is called can listen without a microphone.
  if (call.stage !== "opening") return [call, []];
  if (problem !== null) return close({ kind: "microphone", problem });
  return [
    { ...call, stage: "calling", isCrossed: false, isSetUp: false },
    [
      { kind: "setup" },
      { kind: "ring", which: "outgoing" },
      { kind: "createPeer" },
      { kind: "setTimer", timer: "ring", ms: RING_GUARD_MS },
    ],
  ];
}

function setupDone(call: Extract<PrivateCall, { stage: "calling" }>, isOfferHeld: boolean): PrivateCallStep {
  return [
    { ...call, isSetUp: true },
    [
      ...(isOfferHeld ? [{ kind: "sendSignals", again: false } as const] : []),
      { kind: "setTimer", timer: "heartbeat", ms: CALL_HEARTBEAT_MS },
    ],
  ];
}

function setupRefused(
  call: Open,
  { failure, isCrossed, isUnanswered }: Extract<PrivateCallInput, { kind: "setupRefused" }>,
): PrivateCallStep {
  const { userId } = call;
  if (call.stage !== "calling") return [call, []];
  if (isUnanswered) return close({ kind: "refused", failure }, { kind: "tell", what: "cancel", userId });
  if (!isCrossed) return close({ kind: "refused", failure });
  return [{ ...call, isCrossed: true }, [{ kind: "setTimer", timer: "crossed", ms: CROSSED_MS }]];
}

function acceptRefused(
  call: Open,
  { failure, isUnanswered }: Extract<PrivateCallInput, { kind: "acceptRefused" }>,
): PrivateCallStep {
  const { userId } = call;
  if (call.stage !== "accepting") return [call, []];
  const undo: PrivateCallEffect[] = isUnanswered ? [{ kind: "tell", what: "hangUp", userId }] : [];
  return close({ kind: "refused", failure }, ...undo);
}

/**
 * What was sent to the socket before may be lost, because its node has died. The answer to a heartbeat tells of an accept and of an end; what
 * belongs to the connection is sent again.
 */
function cameBack(call: Open): PrivateCallStep {
  const [next, effects] = timerEnded(call, "heartbeat");
  const isOpen = call.stage === "connecting" || (call.stage === "talking" && call.isLost);
  return [next, isOpen ? [...effects, { kind: "restart" }] : effects];
}

function accept(call: Extract<PrivateCall, { stage: "ringing" }>, withCamera: boolean): PrivateCallStep {
  const { isPrepared, ...parts } = call;
  return [
    { ...parts, stage: "accepting", isConnected: false },
    [
      { kind: "stopRing" },
      { kind: "clearTimer", timer: "ring" },
      { kind: "clearTimer", timer: "heartbeat" },
      ...(isPrepared ? [] : [{ kind: "createPeer" } as const]),
      { kind: "accept" },
      { kind: "openDevices", withCamera },
    ],
  ];
}

function acceptDone(call: Extract<PrivateCall, { stage: "accepting" }>): PrivateCallStep {
  const step = connect(call, { kind: "sendSignals", again: false });
  if (!call.isConnected) return step;
  const [connecting, effects] = step;
  const [next, more] = stepPrivateCall(connecting, { kind: "peer", state: "connected" });
  return [next, [...effects, ...more]];
}

/** Both have called, and the other call has won: it is accepted at once if it is of the same kind. */
function acceptCrossed(
  call: Extract<PrivateCall, { stage: "opening" | "calling" }>,
  mode: CallMode,
): PrivateCallStep {
  const { userId } = call;
  const parts = { userId, mode, isCaller: false };
  if (mode === call.mode) {
    return [
      { ...parts, stage: "accepting", isConnected: false },
      [
        { kind: "stopRing" },
        { kind: "clearTimer", timer: "ring" },
        { kind: "clearTimer", timer: "crossed" },
        { kind: "clearTimer", timer: "heartbeat" },
        { kind: "createPeer" },
        { kind: "accept" },
      ],
    ];
  }
  return [ringing(parts), [{ kind: "close", end: null }, ...startRinging()]];
}

function ringing(parts: Parts): PrivateCall {
  return { ...parts, stage: "ringing", isPrepared: false };
}

function startRinging(): PrivateCallEffect[] {
  return [
    { kind: "ring", which: "incoming" },
    { kind: "setTimer", timer: "ring", ms: RING_GUARD_MS },
    { kind: "setTimer", timer: "heartbeat", ms: CALL_HEARTBEAT_MS },
  ];
}

/** Accepted by both: the connection has to be made now. */
function connect({ userId, mode, isCaller }: Parts, ...first: PrivateCallEffect[]): PrivateCallStep {
  return [
    { stage: "connecting", userId, mode, isCaller },
    [
      ...first,
      { kind: "setTimer", timer: "heartbeat", ms: CALL_HEARTBEAT_MS },
      { kind: "setTimer", timer: "connect", ms: CONNECT_GUARD_MS },
      ...(isCaller ? [{ kind: "setTimer", timer: "restart", ms: REPAIR_MS } as const] : []),
    ],
  ];
}

function end(call: Open): PrivateCallStep {
  const { userId } = call;
  switch (call.stage) {
    case "opening":
      return close(null);
    case "calling":
      return close({ kind: "cancelled" }, { kind: "tell", what: "cancel", userId });
    case "ringing":
      return close(null, { kind: "tell", what: "reject", userId });
    case "accepting":
    case "connecting":
    case "talking":
      return close(null, { kind: "tell", what: "hangUp", userId });
    default:
      return call satisfies never;
  }
}

function leave(call: Open): PrivateCallStep {
  // What rings goes on ringing on the other clients, and on the next page of this one.
  return call.stage === "ringing" ? close(null) : end(call);
}

function takeSignal(
  call: PrivateCall,
  { signal, userId, isMine, canCall }: Extract<PrivateCallInput, { kind: "signal" }>,
): PrivateCallStep {
  switch (signal.type) {
    case MessageType.RTC_SETUP_VOICE:
    case MessageType.RTC_SETUP_VIDEO: {
      const mode = signal.type === MessageType.RTC_SETUP_VIDEO ? "video" : "voice";
      return isMine ? [call, []] : rung(call, userId, mode, canCall);
    }
    default:
      return call.stage === "closed" || call.userId !== userId
        ? [call, []]
        : takeOwnSignal(call, signal, isMine);
  }
}

/** Somebody calls. */
function rung(call: PrivateCall, userId: number, mode: CallMode, canCall: boolean): PrivateCallStep {
  if (call.stage !== "closed" && call.userId !== userId) {
    return [call, [{ kind: "tell", what: "failed", userId, reason: CALL_REASONS.busy }]];
  }
  switch (call.stage) {
    case "closed":
      return canCall
        ? [ringing({ userId, mode, isCaller: false }), startRinging()]
        : [call, [{ kind: "tell", what: "failed", userId, reason: CALL_REASONS.notSupported }]];
    case "opening":
    case "calling":
      return acceptCrossed(call, mode);
    // The server repeats it after each login of the socket.
    default:
      return [call, []];
  }
}

/** A signal of this call, or of one with the same person. */
function takeOwnSignal(call: Open, signal: ReceivedPrivateCall, isMine: boolean): PrivateCallStep {
  switch (signal.type) {
    case MessageType.RTC_ACCEPT:
      return accepted(call, isMine, signal.content === "held");
    case MessageType.RTC_REJECT:
      if (isMine) return call.stage === "ringing" ? close({ kind: "rejectedElsewhere" }) : [call, []];
      return call.stage === "calling" ? close({ kind: "rejected" }) : [call, []];
    case MessageType.RTC_CANCEL:
      return isMine || call.isCaller ? [call, []] : close({ kind: "cancelledByOther" });
    case MessageType.RTC_FAILED:
      return failed(call, isMine, signal.content ?? "");
    case MessageType.RTC_HANDUP:
      if (isMine || call.stage === "opening") return [call, []];
      // While it rings it is the answer to a heartbeat: how the call has ended was not heard of.
      return close({ kind: call.stage === "calling" || call.stage === "ringing" ? "ended" : "hungUp" });
    case MessageType.RTC_OFFER:
      if (call.stage === "ringing" && !isMine && !hasAddresses(signal)) return prepare(call, signal);
      return isMine || !isConnectable(call) ? [call, []] : [call, [{ kind: "toPeer", signal }]];
    case MessageType.RTC_ANSWER:
    case MessageType.RTC_CANDIDATE:
    case MessageType.RTC_DEVICE:
      return isMine || !isConnectable(call) ? [call, []] : [call, [{ kind: "toPeer", signal }]];
    default:
      return [call, []];
  }
}

/** With addresses of the caller, the browser would try them while it rings, and the caller would learn mine. */
function hasAddresses({ content }: PeerSignal): boolean {
  const sdp = "sdp" in content ? content.sdp : null;
  return typeof sdp === "string" && sdp.includes("a=candidate:");
}

/** The answer is made while it rings, and sent with the accept: nobody learns of this person's addresses before. */
function prepare(call: Extract<PrivateCall, { stage: "ringing" }>, signal: PeerSignal): PrivateCallStep {
  const toPeer = { kind: "toPeer", signal } as const;
  return [{ ...call, isPrepared: true }, call.isPrepared ? [toPeer] : [{ kind: "createPeer" }, toPeer]];
}

function accepted(call: Open, isMine: boolean, isOfferHeld: boolean): PrivateCallStep {
  if (isMine) return call.stage === "ringing" ? close({ kind: "answeredElsewhere" }) : [call, []];
  if (call.stage !== "calling") return [call, []];
  return connect(
    call,
    { kind: "stopRing" },
    { kind: "clearTimer", timer: "ring" },
    { kind: "clearTimer", timer: "crossed" },
    { kind: "sendSignals", again: !isOfferHeld },
  );
}

function failed(call: Open, isMine: boolean, reason: string): PrivateCallStep {
  if (call.stage === "opening") return [call, []];
  // The server says so to the clients on which it has rung in vain.
  if (isMine) return call.stage === "ringing" ? close({ kind: "youDidNotAnswer" }) : [call, []];
  return close({ kind: "failed", reason });
}

/** Whether there is a connection that takes signals. The other side may offer before the server has confirmed that I accepted. */
function isConnectable(call: Open): boolean {
  return call.stage === "accepting" || call.stage === "connecting" || call.stage === "talking";
}

function peerChanged(call: Open, state: "connected" | "disconnected" | "failed"): PrivateCallStep {
  switch (call.stage) {
    case "accepting":
      return [{ ...call, isConnected: state === "connected" }, []];
    case "connecting":
      return state === "connected"
        ? [
            { ...call, stage: "talking", isLost: false },
            [
              { kind: "clearTimer", timer: "connect" },
              { kind: "clearTimer", timer: "restart" },
            ],
          ]
        : [call, []];
    case "talking":
      if (state === "connected") return restored(call);
      if (state === "failed") return lose(call);
      return call.isLost ? [call, []] : [call, [{ kind: "setTimer", timer: "lost", ms: LOST_AFTER_MS }]];
    default:
      return [call, []];
  }
}

type Talking = Extract<PrivateCall, { stage: "talking" }>;

function restored(call: Talking): PrivateCallStep {
  return [
    { ...call, isLost: false },
    (["lost", "restart", "giveUp"] as const).map((timer) => ({ kind: "clearTimer", timer }) as const),
  ];
}

/** The connection is lost: both sides ask for new candidates, the caller first. */
function lose(call: Talking): PrivateCallStep {
  const restart: PrivateCallEffect[] = call.isCaller
    ? [{ kind: "restart" }, { kind: "setTimer", timer: "restart", ms: RESTART_INTERVAL_MS }]
    : [{ kind: "setTimer", timer: "restart", ms: CALLEE_RESTART_MS }];
  if (call.isLost) return [call, restart];
  return [
    { ...call, isLost: true },
    [
      { kind: "clearTimer", timer: "lost" },
      { kind: "reconnectSocket" },
      ...restart,
      { kind: "setTimer", timer: "giveUp", ms: LOST_GUARD_MS },
    ],
  ];
}

function timerEnded(call: Open, timer: PrivateCallTimer): PrivateCallStep {
  const { userId } = call;
  switch (timer) {
    case "ring":
      // The end of the ringing was not heard of.
      if (call.stage === "ringing") return close({ kind: "youDidNotAnswer" });
      return timerEnded(call, "crossed");
    case "crossed":
      return call.stage === "calling"
        ? close({ kind: "noAnswer" }, { kind: "tell", what: "cancel", userId })
        : [call, []];
    case "connect":
      return call.stage === "connecting"
        ? close(
            { kind: "notConnected" },
            { kind: "tell", what: "failed", userId, reason: CALL_REASONS.notConnected },
          )
        : [call, []];
    case "heartbeat":
      return isServerCall(call)
        ? [call, [{ kind: "heartbeat" }, { kind: "setTimer", timer, ms: CALL_HEARTBEAT_MS }]]
        : [call, []];
    case "lost":
      return call.stage === "talking" ? lose(call) : [call, []];
    case "restart":
      if (call.stage === "connecting")
        return [call, [{ kind: "repair" }, { kind: "setTimer", timer, ms: REPAIR_INTERVAL_MS }]];
      return call.stage === "talking" && call.isLost
        ? [call, [{ kind: "restart" }, { kind: "setTimer", timer, ms: RESTART_INTERVAL_MS }]]
        : [call, []];
    case "giveUp":
      return call.stage === "talking" && call.isLost
        ? close({ kind: "lost" }, { kind: "tell", what: "hangUp", userId })
        : [call, []];
    default:
      return timer satisfies never;
  }
}

/** Whether the server is expected to know of the call, so that it can say whether it goes on. */
function isServerCall(call: Open): boolean {
  switch (call.stage) {
    case "calling":
      return call.isSetUp;
    case "opening":
    case "accepting":
      return false;
    default:
      return true;
  }
}
