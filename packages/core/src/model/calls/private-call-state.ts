import type { CallMode } from "@parley/protocol/entities";
import type { ReceivedPrivateCall } from "@parley/protocol/received-call";
import type { Failure } from "../state.ts";
import type { CallEnd, DeviceProblem } from "./call.ts";

/**
 * The state of a call between two people (spec §4), what happens to it, and what has to be done. `private-call.ts` decides. Numbers of spec §4:
 * FREE 0 is `closed`, WAIT_CALL 1 `calling`, WAIT_ACCEPT 2 `ringing`, ACCEPTED 3 `connecting`, CHATING 4 `talking`.
 */

/** The two people of a call, the caller, and the kind of call. */
export interface PrivateCallParts {
  readonly userId: number;
  readonly mode: CallMode;
  readonly isCaller: boolean;
}

/** Where a call stands. */
export type PrivateCall =
  | { readonly stage: "closed" }
  /** The caller's devices are being opened. */
  | (PrivateCallParts & { readonly stage: "opening" })
  /** It rings at the other side. `isCrossed`: both have called, and the other call has won; it rings here in a moment. */
  | (PrivateCallParts & {
      readonly stage: "calling";
      readonly isCrossed: boolean;
      /** The server has confirmed that it rings. */
      readonly isSetUp: boolean;
    })
  /** `isPrepared`: the offer has come, and its answer waits for the accept. */
  | (PrivateCallParts & { readonly stage: "ringing"; readonly isPrepared: boolean })
  /** Accepted here; the server has not confirmed it. `isConnected`: the other side was faster. */
  | (PrivateCallParts & { readonly stage: "accepting"; readonly isConnected: boolean })
  | (PrivateCallParts & { readonly stage: "connecting" })
  /** `isLost`: the connection has broken, and is being restored. */
  | (PrivateCallParts & { readonly stage: "talking"; readonly isLost: boolean });

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
  /** The server no longer knows this call. */
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

/** There is no call. */
export const CLOSED: PrivateCall = { stage: "closed" };

export type OpenPrivateCall = Exclude<PrivateCall, { stage: "closed" }>;

/** The call is over. `before` is done while it is still known. */
export function closePrivateCall(end: CallEnd | null, ...before: PrivateCallEffect[]): PrivateCallStep {
  return [CLOSED, [...before, { kind: "close", end }]];
}
