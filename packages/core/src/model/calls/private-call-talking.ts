import { CALL_HEARTBEAT_MS } from "@parley/protocol/limits";
import {
  closePrivateCall,
  type OpenPrivateCall,
  type PrivateCall,
  type PrivateCallEffect,
  type PrivateCallParts,
  type PrivateCallStep,
} from "./private-call-state.ts";

/** A call between two people from the accept on: how the connection is made, and restored when it is lost. */

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

/** Somebody has accepted: the other person, or I on another client. */
export function accepted(call: OpenPrivateCall, isMine: boolean, isOfferHeld: boolean): PrivateCallStep {
  if (isMine) return call.stage === "ringing" ? closePrivateCall({ kind: "answeredElsewhere" }) : [call, []];
  if (call.stage !== "calling") return [call, []];
  return connect(
    call,
    { kind: "stopRing" },
    { kind: "clearTimer", timer: "ring" },
    { kind: "clearTimer", timer: "crossed" },
    { kind: "sendSignals", again: !isOfferHeld },
  );
}

/** The server has confirmed that I have accepted. */
export function acceptDone(call: Extract<PrivateCall, { stage: "accepting" }>): PrivateCallStep {
  const step = connect(call, { kind: "sendSignals", again: false });
  if (!call.isConnected) return step;
  const [connecting, effects] = step;
  const [next, more] = peerChanged(connecting, "connected");
  return [next, [...effects, ...more]];
}

/** Accepted by both: the connection has to be made now. */
function connect(
  { userId, mode, isCaller }: PrivateCallParts,
  ...first: PrivateCallEffect[]
): [OpenPrivateCall, PrivateCallEffect[]] {
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

/** Whether there is a connection that takes signals. The other side may offer before the server has confirmed that I accepted. */
export function isConnectable(call: OpenPrivateCall): boolean {
  return call.stage === "accepting" || call.stage === "connecting" || call.stage === "talking";
}

/** The connection has changed. */
export function peerChanged(
  call: OpenPrivateCall,
  state: "connected" | "disconnected" | "failed",
): PrivateCallStep {
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
export function lose(call: Talking): PrivateCallStep {
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

/** The connection was not made or restored yet. */
export function restartDue(call: OpenPrivateCall): PrivateCallStep {
  const again = (ms: number) => ({ kind: "setTimer", timer: "restart", ms }) as const;
  if (call.stage === "connecting") return [call, [{ kind: "repair" }, again(REPAIR_INTERVAL_MS)]];
  return call.stage === "talking" && call.isLost
    ? [call, [{ kind: "restart" }, again(RESTART_INTERVAL_MS)]]
    : [call, []];
}
