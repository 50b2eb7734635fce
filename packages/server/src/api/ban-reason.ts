/** The reason of a ban. The banned person, or the members of the banned group, see it. */
import { BAN_REASON_MAX } from "@parley/protocol/limits";
import { isWellFormed } from "@parley/protocol/text";
import { AdminError } from "./admin-error.ts";

/** Returns the trimmed reason, or throws an `AdminError` if it is empty, too long or not storable. */
export function parseBanReason(text: string): string {
  const reason = text.trim();
  if (reason === "" || [...reason].length > BAN_REASON_MAX || !isWellFormed(reason)) {
    const problem = `must have 1 to ${BAN_REASON_MAX} characters`;
    throw new AdminError("request.malformed", `The reason ${problem}.`, { field: "reason", problem });
  }
  return reason;
}
