/** At most one nudge in `SHAKE_INTERVAL_MS` for a sender and chat: what each node remembers of it. The store knows the nudges of all nodes. */
import { SHAKE_INTERVAL_MS } from "@parley/protocol/limits";
import { ApiError } from "../../api/api-error.ts";
import { dropOldest } from "../../collections/maps.ts";
import type { Appended } from "../../ports/stored-message.ts";

const PAIRS_MAX = 10_000;

/**
 * Appends a nudge, or refuses it if it comes too soon after the last one. `chat` identifies the chat among those of its kind. A nudge
 * that is not stored, or turns out to be a repeated send, does not count.
 */
export type NudgeLimit = <Result extends Appended<unknown> | string>(
  sendId: number,
  chat: string,
  now: number,
  append: () => Promise<Result>,
) => Promise<Result>;

/** Throws if the last nudge is too recent. `ageMs` is undefined if there was none. */
export function requireNudgeInterval(ageMs = Infinity): void {
  // The absolute difference, so that a clock that was set back does not extend the waiting time.
  const waitMs = SHAKE_INTERVAL_MS - Math.abs(ageMs);
  if (waitMs > 0) throw new ApiError("message.shakeTooOften", { seconds: Math.ceil(waitMs / 1_000) });
}

export function createNudgeLimit(): NudgeLimit {
  /** The time of the last nudge of each sender and chat, the oldest first. */
  const lastNudgeAt = new Map<string, number>();
  return async (sendId, chat, now, append) => {
    const pair = `${sendId}:${chat}`;
    const last = lastNudgeAt.get(pair);
    requireNudgeInterval(last === undefined ? undefined : now - last);
    lastNudgeAt.delete(pair);
    dropOldest(lastNudgeAt, PAIRS_MAX);
    lastNudgeAt.set(pair, now);
    let isNew = false;
    try {
      const sent = await append();
      isNew = typeof sent !== "string" && sent.isNew;
      return sent;
    } finally {
      if (!isNew && lastNudgeAt.get(pair) === now) {
        if (last === undefined) lastNudgeAt.delete(pair);
        else lastNudgeAt.set(pair, last);
      }
    }
  };
}
