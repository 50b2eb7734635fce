import type { Failure } from "@parley/core/model/state";
import { failureText } from "../../kit/failure-text.ts";
import type { Text } from "../../kit/i18n.ts";

/** Text for a failed attempt to join a group: the cause if it is known, else a general text (spec §8). */
export function joinFailureText(failure: Failure, t: Text): string {
  const isKnown =
    failure.kind === "loggedOut" ||
    (failure.kind === "refused" && failure.key !== null) ||
    (failure.kind === "network" && (failure.reason === "offline" || failure.reason === "timeout"));
  return isKnown ? failureText(failure, t) : t("groups.joinFailed");
}
