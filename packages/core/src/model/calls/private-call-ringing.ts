import { CALL_HEARTBEAT_MS } from "@parley/protocol/limits";
import type { CallMode } from "@parley/protocol/entities";
import { CALL_REASONS, type DeviceProblem } from "./call.ts";
import {
  closePrivateCall,
  type OpenPrivateCall,
  type PeerSignal,
  type PrivateCall,
  type PrivateCallEffect,
  type PrivateCallInput,
  type PrivateCallParts,
  type PrivateCallStep,
} from "./private-call-state.ts";

/** A call between two people until it is accepted: how it begins, rings, and is taken. */

/** The server's ring lasts 30 s; the client waits a little longer for its end. */
const RING_GUARD_MS = 35_000;
/** How long the other call may take to ring here, when both have called. */
const CROSSED_MS = 2_000;

/** The microphone is open, or why not. */
export function devicesOpened(call: OpenPrivateCall, problem: DeviceProblem | null): PrivateCallStep {
  // The callee can listen without a microphone.
  if (call.stage !== "opening") return [call, []];
  if (problem !== null) return closePrivateCall({ kind: "microphone", problem });
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

/** The server has confirmed that it rings. */
export function setupDone(
  call: Extract<PrivateCall, { stage: "calling" }>,
  isOfferHeld: boolean,
): PrivateCallStep {
  return [
    { ...call, isSetUp: true },
    [
      ...(isOfferHeld ? [{ kind: "sendSignals", again: false } as const] : []),
      { kind: "setTimer", timer: "heartbeat", ms: CALL_HEARTBEAT_MS },
    ],
  ];
}

/** The server does not let it ring, or has not answered. */
export function setupRefused(
  call: OpenPrivateCall,
  { failure, isCrossed, isUnanswered }: Extract<PrivateCallInput, { kind: "setupRefused" }>,
): PrivateCallStep {
  const { userId } = call;
  if (call.stage !== "calling") return [call, []];
  if (isUnanswered)
    return closePrivateCall({ kind: "refused", failure }, { kind: "tell", what: "cancel", userId });
  if (!isCrossed) return closePrivateCall({ kind: "refused", failure });
  return [{ ...call, isCrossed: true }, [{ kind: "setTimer", timer: "crossed", ms: CROSSED_MS }]];
}

/** The server does not let me accept, or has not answered. */
export function acceptRefused(
  call: OpenPrivateCall,
  { failure, isUnanswered }: Extract<PrivateCallInput, { kind: "acceptRefused" }>,
): PrivateCallStep {
  const { userId } = call;
  if (call.stage !== "accepting") return [call, []];
  const undo: PrivateCallEffect[] = isUnanswered ? [{ kind: "tell", what: "hangUp", userId }] : [];
  return closePrivateCall({ kind: "refused", failure }, ...undo);
}

/** I accept: the server is asked while the devices open. */
export function accept(
  call: Extract<PrivateCall, { stage: "ringing" }>,
  withCamera: boolean,
): PrivateCallStep {
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

function ringing(parts: PrivateCallParts): PrivateCall {
  return { ...parts, stage: "ringing", isPrepared: false };
}

function startRinging(): PrivateCallEffect[] {
  return [
    { kind: "ring", which: "incoming" },
    { kind: "setTimer", timer: "ring", ms: RING_GUARD_MS },
    { kind: "setTimer", timer: "heartbeat", ms: CALL_HEARTBEAT_MS },
  ];
}

/** Somebody calls. */
export function rung(call: PrivateCall, userId: number, mode: CallMode, canCall: boolean): PrivateCallStep {
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

/** With addresses of the caller, the browser would try them while it rings, and the caller would learn mine. */
export function hasAddresses({ content }: PeerSignal): boolean {
  const sdp = "sdp" in content ? content.sdp : null;
  return typeof sdp === "string" && sdp.includes("a=candidate:");
}

/** The answer is made while it rings, and sent with the accept: nobody learns of this person's addresses before. */
export function prepare(
  call: Extract<PrivateCall, { stage: "ringing" }>,
  signal: PeerSignal,
): PrivateCallStep {
  const toPeer = { kind: "toPeer", signal } as const;
  return [{ ...call, isPrepared: true }, call.isPrepared ? [toPeer] : [{ kind: "createPeer" }, toPeer]];
}
