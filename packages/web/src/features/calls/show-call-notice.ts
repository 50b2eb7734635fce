import type { Client, Notice } from "@parley/core/client-api";
import { currentText } from "../../kit/i18n.ts";
import { toasts } from "../../kit/toasts.ts";
import { callEndText } from "./call-end-text.ts";

/** What is said of calls once. */
export type CallNotice = Extract<Notice, { readonly kind: "callEnded" | "callPersonLeft" }>;

/** Shows as a toast why a call is over, or who has left the call of a group. */
export function showCallNotice(client: Client, notice: CallNotice): void {
  const t = currentText();
  if (notice.kind === "callPersonLeft") return;
  const { call } = notice;
  const text = callEndText(call, t);
  if (text === null) return;
  if (call.kind === "private" && canCallAgain(call.end.kind)) {
    const again = () => client.calls.start(call.userId, call.mode);
    toasts.problem(text, { label: t("call.again"), run: again });
  } else toasts.long(text);
}

/** Nobody meant these ends. */
function canCallAgain(end: Extract<CallNotice, { kind: "callEnded" }>["call"]["end"]["kind"]): boolean {
  return end === "lost" || end === "notConnected" || end === "noAnswer";
}
