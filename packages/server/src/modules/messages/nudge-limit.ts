/** One shake in a while for a sender and chat. */
import { SHAKE_INTERVAL_MS } from "@parley/protocol/limits";
import { ApiError } from "../../ports/call.ts";
import type { Appended } from "../../ports/stored-message.ts";

const PAIRS_MAX = 10_000;

/**
 * Appends a shake, or refuses one that comes too soon after the last one; `chat` tells this kind's chats from each other. What turns out
 * to be a repeat, or is not stored, is no shake.
 */
export type NudgeLimit = <Row>(
  sendId: number,
  chat: string,
  now: number,
  append: () => Promise<Appended<Row>>,
) => Promise<Appended<Row>>;

export function createNudgeLimit(): NudgeLimit {
  /** When each pair last shook, the oldest first. */
  const lastNudgeAt = new Map<string, number>();
  return async (sendId, chat, now, append) => {
    const pair = `${sendId}:${chat}`;
    const last = lastNudgeAt.get(pair);
    // Either way, so that a clock that was set back refuses nobody for the time it was set back by.
    const waitMs = SHAKE_INTERVAL_MS - Math.abs(now - (last ?? -Infinity));
    if (waitMs > 0) throw new ApiError("message.shakeTooOften", { seconds: Math.ceil(waitMs / 1_000) });
    lastNudgeAt.delete(pair);
    lastNudgeAt.set(pair, now);
    for (const oldest of lastNudgeAt.keys()) {
      if (lastNudgeAt.size <= PAIRS_MAX) break;
      lastNudgeAt.delete(oldest);
    }
    let isNew = false;
    try {
      const sent = await append();
      isNew = sent.isNew;
      return sent;
    } finally {
      if (!isNew && lastNudgeAt.get(pair) === now) {
        if (last === undefined) lastNudgeAt.delete(pair);
        else lastNudgeAt.set(pair, last);
      }
    }
  };
}
