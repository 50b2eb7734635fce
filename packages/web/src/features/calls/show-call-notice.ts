import type { EndedCall } from "@parley/core/call-actions";
import type { Client, Notice } from "@parley/core/client-api";
import { memberNameOf } from "../../kit/group.ts";
import { currentText } from "../../kit/i18n.ts";
import { toasts } from "../../kit/toasts.ts";
import { callEndText } from "./call-end-text.ts";
import { personLeftText } from "./person-left-text.ts";

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
