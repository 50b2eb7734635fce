/** The reason of a ban. The banned person, or the members of the banned group, see it. */
import { isWellFormed } from "@parley/protocol/text";

export const BAN_REASON_MAX = 100;

/** Whether a text can be the reason of a ban. */
export function isBanReason(reason: string): boolean {
  return reason.trim() !== "" && [...reason].length <= BAN_REASON_MAX && isWellFormed(reason);
}
