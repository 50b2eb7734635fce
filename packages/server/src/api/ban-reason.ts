/** The reason of a ban. The banned person, or the members of the banned group, see it. */
import { isWellFormed } from "@parley/protocol/text";
import { AdminError } from "./admin-error.ts";

const BAN_REASON_MAX = 100;

/** Returns the trimmed reason, or throws an `AdminError` if it is empty, too long or not storable. */
export function parseBanReason(text: string): string {
  const reason = text.trim();
  if (reason === "" || [...reason].length > BAN_REASON_MAX || !isWellFormed(reason))
    throw new AdminError(`The reason must have 1 to ${BAN_REASON_MAX} characters.`);
  return reason;
}
