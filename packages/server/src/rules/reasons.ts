/** Why an administrator bans somebody or a group: people are told it. */
import { isWellFormed } from "@parley/protocol/text";

export const REASON_MAX = 100;

export function isReason(reason: string): boolean {
  return reason.trim() !== "" && [...reason].length <= REASON_MAX && isWellFormed(reason);
}
