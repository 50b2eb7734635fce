/** Why an administrator bans somebody or a group: people are told it. */
import { isWellFormed } from "@parley/protocol/text";

export const BAN_REASON_MAX = 100;

export function isBanReason(reason: string): boolean {
  return reason.trim() !== "" && [...reason].length <= BAN_REASON_MAX && isWellFormed(reason);
}
