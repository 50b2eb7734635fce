import { MessageType } from "@parley/protocol/codes";
import { CALL_HEARTBEAT_MS } from "@parley/protocol/limits";
import type { ReceivedPrivateCall } from "@parley/protocol/received-call";
import { CALL_REASONS } from "./call.ts";
import {
  accept,
  acceptRefused,
  devicesOpened,
  hasAddresses,
  prepare,
  rung,
  setupDone,
  setupRefused,
} from "./private-call-ringing.ts";
import {
  closePrivateCall,
  type OpenPrivateCall,
  type PrivateCall,
  type PrivateCallInput,
  type PrivateCallStep,
  type PrivateCallTimer,
} from "./private-call-state.ts";
import {
  acceptDone,
  accepted,
  isConnectable,
  lose,
  peerChanged,
  restartDue,
} from "./private-call-talking.ts";

/** The state machine of a call between two people (spec §4). The caller performs the effects and reports events as inputs. */

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
  call: OpenPrivateCall,
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
      return call.stage === "opening" ? [call, []] : closePrivateCall({ kind: "ended" });
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

function start(
  call: PrivateCall,
  { userId, mode, support }: Extract<PrivateCallInput, { kind: "start" }>,
): PrivateCallStep {
  if (call.stage !== "closed") return [call, []];
  if (support !== "ok") return closePrivateCall({ kind: "notSupported", isInsecure: support === "insecure" });
  return [
    { stage: "opening", userId, mode, isCaller: true },
    [{ kind: "openDevices", withCamera: mode === "video" }],
  ];
}

/**
 * Signals that were sent to the former socket may be lost, because its node has died. The answer to a heartbeat says if the call was accepted or is
 * over; signals of the connection are sent again.
 */
function cameBack(call: OpenPrivateCall): PrivateCallStep {
  const [next, effects] = timerEnded(call, "heartbeat");
  const isOpen = call.stage === "connecting" || (call.stage === "talking" && call.isLost);
  return [next, isOpen ? [...effects, { kind: "restart" }] : effects];
}

function end(call: OpenPrivateCall): PrivateCallStep {
  const { userId } = call;
  switch (call.stage) {
    case "opening":
      return closePrivateCall(null);
    case "calling":
      return closePrivateCall({ kind: "cancelled" }, { kind: "tell", what: "cancel", userId });
    case "ringing":
      return closePrivateCall(null, { kind: "tell", what: "reject", userId });
    case "accepting":
    case "connecting":
    case "talking":
      return closePrivateCall(null, { kind: "tell", what: "hangUp", userId });
    default:
      return call satisfies never;
  }
}

function leave(call: OpenPrivateCall): PrivateCallStep {
  // A call that rings goes on ringing on my other clients, and on the next page of this one.
  return call.stage === "ringing" ? closePrivateCall(null) : end(call);
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

/** A signal of this call, or of one with the same person. */
function takeOwnSignal(call: OpenPrivateCall, signal: ReceivedPrivateCall, isMine: boolean): PrivateCallStep {
  switch (signal.type) {
    case MessageType.RTC_ACCEPT:
      return accepted(call, isMine, signal.content === "held");
    case MessageType.RTC_REJECT:
      if (isMine)
        return call.stage === "ringing" ? closePrivateCall({ kind: "rejectedElsewhere" }) : [call, []];
      return call.stage === "calling" ? closePrivateCall({ kind: "rejected" }) : [call, []];
    case MessageType.RTC_CANCEL:
      return isMine || call.isCaller ? [call, []] : closePrivateCall({ kind: "cancelledByOther" });
    case MessageType.RTC_FAILED:
      return failed(call, isMine, signal.content ?? "");
    case MessageType.RTC_HANDUP:
      if (isMine || call.stage === "opening") return [call, []];
      // While it rings, this is the answer to a heartbeat: the signal that said how the call has ended was lost.
      return closePrivateCall({
        kind: call.stage === "calling" || call.stage === "ringing" ? "ended" : "hungUp",
      });
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

function failed(call: OpenPrivateCall, isMine: boolean, reason: string): PrivateCallStep {
  if (call.stage === "opening") return [call, []];
  // The server says so to the clients on which it has rung in vain.
  if (isMine) return call.stage === "ringing" ? closePrivateCall({ kind: "youDidNotAnswer" }) : [call, []];
  return closePrivateCall({ kind: "failed", reason });
}

function timerEnded(call: OpenPrivateCall, timer: PrivateCallTimer): PrivateCallStep {
  const { userId } = call;
  switch (timer) {
    case "ring":
      // The signal that ends the ringing was lost.
      if (call.stage === "ringing") return closePrivateCall({ kind: "youDidNotAnswer" });
      return timerEnded(call, "crossed");
    case "crossed":
      return call.stage === "calling"
        ? closePrivateCall({ kind: "noAnswer" }, { kind: "tell", what: "cancel", userId })
        : [call, []];
    case "connect":
      return call.stage === "connecting"
        ? closePrivateCall(
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
      return restartDue(call);
    case "giveUp":
      return call.stage === "talking" && call.isLost
        ? closePrivateCall({ kind: "lost" }, { kind: "tell", what: "hangUp", userId })
        : [call, []];
    default:
      return timer satisfies never;
  }
}

/** Whether the server is expected to know of the call, so that it can say whether it goes on. */
function isServerCall(call: OpenPrivateCall): boolean {
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
