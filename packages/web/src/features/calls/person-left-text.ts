import type { Notice } from "@parley/core/client-api";
import { CALL_REASONS } from "@parley/core/model/calls/call";
import type { Text, TextId } from "../../kit/i18n.ts";
import { namesInSentence } from "../../kit/names-text.ts";
import { reasonText } from "./call-end-text.ts";

/** The notice that somebody is no longer in the call of a group. */
export type PersonLeftNotice = Extract<Notice, { kind: "callPersonLeft" }>;

/** The reasons in words of the server and of other clients, which are the same in every language (protocol §10). */
const REASON_TEXTS: ReadonlyMap<string, TextId> = new Map([
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
  t: Text,
): string {
  const names = namesInSentence(people, false, t);
  const known = why === "failed" ? REASON_TEXTS.get(reason) : WHY_TEXTS[why];
  if (known === undefined && reason !== "")
    return t("groupCall.left.other", { names, reason: reasonText(reason, t) });
  const what = t(known ?? "groupCall.left.notJoined", { count: people.length });
  return t("groupCall.left.sentence", { names, what });
}

const WHY_TEXTS = {
  quit: "groupCall.left.quit",
  rejected: "groupCall.left.rejected",
} as const;
