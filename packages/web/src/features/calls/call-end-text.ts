import type { EndedCall } from "@parley/core/call-actions";
import { CALL_REASONS } from "@parley/core/model/calls/call";
import type { DeviceProblem } from "@parley/core/model/calls/call";
import { failureText } from "../../kit/failure-text.ts";
import type { Text, TextId } from "../../kit/i18n.ts";

/** Reasons that the server and other clients send in these words, and our texts for them. */
const REASONS: Readonly<Record<string, TextId>> = {
  [CALL_REASONS.notSupported]: "call.end.notSupported",
  [CALL_REASONS.busy]: "call.end.busy",
  [CALL_REASONS.notConnected]: "call.end.notConnected",
  对方无应答: "call.end.noAnswer",
  "您已不是对方好友，无法呼叫": "error.call.notFriend",
};

/** The sentence that says why a call is over (spec §8). A reason of another side that is not known is shown as it was sent. */
export function callEndText({ kind, end }: Pick<EndedCall, "kind" | "end">, t: Text): string {
  const say = (id: TextId) => asSentence(t(id));
  switch (end.kind) {
    case "failed": {
      const text = reasonText(end.reason, t);
      return text === end.reason ? text || say("call.end.ended") : asSentence(text);
    }
    case "refused":
      return failureText(end.failure, t);
    case "microphone":
      return deviceProblemText("microphone", end.problem, t);
    case "notSupported":
      return say(end.isInsecure ? "call.end.initFailed" : "call.end.notSupported");
    case "noAnswer":
      return say(kind === "group" ? "call.end.nobodyAnswered" : "call.end.noAnswer");
    default:
      return say(`call.end.${end.kind}`);
  }
}

/** The specification words some reasons as parts of a sentence. Shown alone, they begin like one. */
function asSentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A reason in words of the server or of another client: ours if it is known, else as it was sent. */
export function reasonText(reason: string, t: Text): string {
  const id = Object.hasOwn(REASONS, reason) ? REASONS[reason] : undefined;
  return id === undefined ? reason : t(id);
}

/** Says why a device cannot be used, and what helps. */
export function deviceProblemText(device: "microphone" | "camera", problem: DeviceProblem, t: Text): string {
  const failed = t(device === "camera" ? "call.cameraFailed" : "call.microphoneFailed");
  return asSentence(t("call.because", { what: failed, reason: t(`call.problem.${problem}`) }));
}
