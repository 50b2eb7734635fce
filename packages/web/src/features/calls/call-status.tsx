import type { Call, PrivateCallView } from "@parley/core/model/calls/call";
import { useText } from "../../kit/i18n/i18n.ts";
import type { TextId } from "../../kit/i18n/i18n.ts";
import { isInUse } from "./call-controls.tsx";
import { callTime } from "../../kit/i18n/time-text.ts";

/** Where a call stands that nobody talks in yet, or where the connection is gone; null while people talk. */
function waitingText(call: Call): TextId | null {
  if (call.stage === "talking") {
    const isGone = call.kind === "private" && call.peer.connection === "reconnecting";
    return isGone ? "call.reconnecting" : null;
  }
  switch (call.stage) {
    case "opening":
      return "call.opening";
    case "calling":
    case "ringing":
      return "call.calling";
    case "accepting":
    case "connecting":
      return "call.connecting";
  }
}

/** How long the call lasts, or what it waits for. Screen readers hear what it waits for, and do not hear each second. */
export function CallStatus({ call }: { readonly call: Call }) {
  const t = useText();
  const waiting = waitingText(call);
  return (
    <>
      <span role="status">{waiting !== null && t(waiting)}</span>
      {waiting === null && <CallTimer call={call} />}
    </>
  );
}

/** How long the call lasts. */
function CallTimer({ call }: { readonly call: Call }) {
  const t = useText();
  if (call.seconds === null) return null;
  return (
    <span role="timer" aria-label={t("call.duration")}>
      {callTime(call.seconds)}
    </span>
  );
}

/** Whether a private call shows pictures: a video call, or one in which somebody has turned the camera on or shares a screen. */
export function hasPictures({ mode, peer, local }: PrivateCallView): boolean {
  return (
    mode === "video" || peer.isCamera || peer.isShareScreen || isInUse(local.camera) || local.screen !== "off"
  );
}
