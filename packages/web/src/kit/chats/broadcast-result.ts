import type { BroadcastCounts } from "@parley/core/model/broadcast/broadcast";
import { outcomeOf } from "@parley/core/model/broadcast/broadcast-run";
import type { Translate } from "../i18n/i18n.ts";

/** The sentence about an ended broadcast (spec §8). */
export function broadcastResult(
  counts: BroadcastCounts,
  t: Translate,
): { readonly text: string; readonly isSuccess: boolean } {
  const outcome = outcomeOf(counts);
  const { total, sent: success, failed: fail } = counts;
  const params = { count: success, success, fail, rest: total - success };
  return { text: t(`broadcast.${outcome}`, params), isSuccess: outcome === "succeeded" };
}
