import type { Failure } from "@parley/core/model/state";
import { failureText } from "../../kit/failure-text.ts";
import type { Text } from "../../kit/i18n.ts";

/** Why somebody did not get into a group: the cause where one is known, else that it failed (spec §8). */
export function joinFailureText(failure: Failure, t: Text): string {
  const isKnown =
    failure.kind === "loggedOut" ||
    (failure.kind === "refused" && failure.key !== null) ||
    (failure.kind === "network" && (failure.reason === "offline" || failure.reason === "timeout"));
  return isKnown ? failureText(failure, t) : t("groups.joinFailed");
}
