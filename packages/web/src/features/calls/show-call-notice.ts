import type { Client, EndedCall, Notice } from "@parley/core/client-api";
import { memberNameOf } from "../../kit/group.ts";
import { currentText } from "../../kit/i18n.ts";
import type { Text } from "../../kit/i18n.ts";
import { listNames } from "../../kit/names-text.ts";
import { toasts } from "../../kit/toasts.ts";
import { callEndText, reasonText } from "./call-end-text.ts";

/** What is said of calls once. */
export type CallNotice = Extract<Notice, { readonly kind: "callEnded" | "callPersonLeft" }>;

/** Shows as a toast why a call is over, or who is no longer in the call of a group. */
export function showCallNotice(client: Client, notice: CallNotice): void {
  const t = currentText();
  if (notice.kind === "callPersonLeft") {
    toasts.info(leftText(client, notice, t));
    return;
  }
  const { call } = notice;
  const text = callEndText(call, t);
  if (call.kind === "group" || !canCallAgain(call.end)) toasts.long(text);
  else
    toasts.problem(text, { label: t("call.again"), run: () => client.calls.start(call.userId, call.mode) });
}

/** Nobody meant these ends. */
function canCallAgain({ kind }: EndedCall["end"]): boolean {
  return kind === "lost" || kind === "notConnected" || kind === "noAnswer";
}

function leftText(
  client: Client,
  { groupId, userIds, why, reason }: Extract<CallNotice, { kind: "callPersonLeft" }>,
  t: Text,
): string {
  const state = client.getState();
  const names = listNames(
    userIds.map((id) => memberNameOf(state, groupId, id, null, t)),
    t,
  );
  const left = t("call.left", { names, what: t(why === "quit" ? "call.quit" : "call.didNotJoin") });
  return reason === "" ? left : t("call.because", { what: left, reason: reasonText(reason, t) });
}
