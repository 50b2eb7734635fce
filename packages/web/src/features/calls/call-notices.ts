import type { EndedCall } from "@parley/core/call-actions";
import type { Client } from "@parley/core/client-api";
import type { Notice } from "@parley/core/notice";
import { CALL_REASONS, type DeviceProblem } from "@parley/core/model/calls/call";
import { failureText } from "../../kit/i18n/failure-text.ts";
import { memberNameOf } from "../../kit/chats/group.ts";
import { currentText, type Translate, type TextId } from "../../kit/i18n/i18n.ts";
import { namesInSentence } from "../../kit/i18n/names-text.ts";
import { toasts } from "../../kit/dialogs/toasts.ts";

/** What happens to a call outside of its own screen. */
export type CallNotice = Extract<Notice, { readonly kind: "callEnded" | "callPersonLeft" }>;

const watched = new WeakSet<Client>();

/** From now on shows toasts about calls. */
export function showCallNotices(client: Client): void {
  if (watched.has(client)) return;
  watched.add(client);
  client.onNotice((notice) => {
    if (notice.kind === "callEnded" || notice.kind === "callPersonLeft") showCallNotice(client, notice);
  });
}

/** Shows as a toast why a call is over, or who is no longer in the call of a group. */
export function showCallNotice(client: Client, notice: CallNotice): void {
  const t = currentText();
  if (notice.kind === "callPersonLeft") {
    const state = client.getState();
    const names = notice.people.map(({ userId, nickName }) =>
      memberNameOf(state, notice.groupId, userId, nickName || null, t),
    );
    toasts.info(personLeftText(notice, names, t));
    return;
  }
  const { call } = notice;
  const text = callEndText(call, t);
  if (call.kind === "private" && canCallAgain(call.end))
    toasts.problem(text, { label: t("call.again"), run: () => client.calls.start(call.userId, call.mode) });
  else if (mustAct(call.end)) toasts.long(text);
  else toasts.info(text);
}

/** The person has to change something before a call can be made, so there is time to read what (interface §9). */
function mustAct({ kind }: EndedCall["end"]): boolean {
  return kind === "microphone" || kind === "notSupported";
}

/** Nobody meant these ends. */
function canCallAgain({ kind }: EndedCall["end"]): boolean {
  return kind === "lost" || kind === "notConnected" || kind === "noAnswer";
}

/** Reasons that the server and other clients send in these words, and our texts for them. */
const END_REASONS: Readonly<Record<string, TextId>> = {
  [CALL_REASONS.notSupported]: "call.end.notSupported",
  [CALL_REASONS.busy]: "call.end.busy",
  [CALL_REASONS.notConnected]: "call.end.notConnected",
  对方无应答: "call.end.noAnswer",
  "您已不是对方好友，无法呼叫": "error.call.notFriend",
};

/** The sentence that says why a call is over (spec §8). A reason of another side that is not known is shown as it was sent. */
export function callEndText({ kind, end }: Pick<EndedCall, "kind" | "end">, t: Translate): string {
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
function reasonText(reason: string, t: Translate): string {
  const id = Object.hasOwn(END_REASONS, reason) ? END_REASONS[reason] : undefined;
  return id === undefined ? reason : t(id);
}

/** Says why a device cannot be used, and what helps. */
export function deviceProblemText(
  device: "microphone" | "camera",
  problem: DeviceProblem,
  t: Translate,
): string {
  const failed = t(device === "camera" ? "call.cameraFailed" : "call.microphoneFailed");
  return asSentence(t("call.because", { what: failed, reason: t(`call.problem.${problem}`) }));
}

/** The notice that somebody is no longer in the call of a group. */
type PersonLeftNotice = Extract<Notice, { kind: "callPersonLeft" }>;

/** The reasons in words of the server and of other clients, which are the same in every language (protocol §10). */
const LEFT_REASONS: ReadonlyMap<string, TextId> = new Map([
  ["用户正忙", "groupCall.left.busy"],
  [CALL_REASONS.busy, "groupCall.left.busy"],
  ["未进入通话", "groupCall.left.notJoined"],
  ["已不在群聊", "groupCall.left.removed"],
  [CALL_REASONS.notConnected, "groupCall.left.notConnected"],
]);

/** One sentence about the people who are no longer in the call, with the reason (spec §8). A reason that is not known is shown as it is. */
export function personLeftText(
  { why, reason }: Pick<PersonLeftNotice, "why" | "reason">,
  people: readonly string[],
  t: Translate,
): string {
  const names = namesInSentence(people, false, t);
  const known = why === "failed" ? LEFT_REASONS.get(reason) : WHY_TEXTS[why];
  if (known === undefined && reason !== "")
    return t("groupCall.left.other", { names, reason: reasonText(reason, t) });
  const what = t(known ?? "groupCall.left.notJoined", { count: people.length });
  return t("groupCall.left.sentence", { names, what });
}

const WHY_TEXTS = {
  quit: "groupCall.left.quit",
  rejected: "groupCall.left.rejected",
} as const;
