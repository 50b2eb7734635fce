/** One shake in a while for a sender and chat. */
import { SHAKE_INTERVAL_MS } from "@parley/protocol/limits";
import { Refusal } from "../../ports/call.ts";
import type { Appended } from "../../ports/stored.ts";

const PAIRS_MAX = 10_000;

/**
 * Appends a shake, or refuses one that comes too soon after the last one; `chat` tells this kind's chats from each other. What turns out
 * to be a repeat, or is not stored, is no shake.
 */
export type Shake = <Row>(
  sendId: number,
  chat: string,
  now: number,
  append: () => Promise<Appended<Row>>,
) => Promise<Appended<Row>>;

export function createShakes(): Shake {
  /** When each pair last shook, the oldest first. */
  const shaken = new Map<string, number>();
  return async (sendId, chat, now, append) => {
    const pair = `${sendId}:${chat}`;
    const last = shaken.get(pair);
    // Either way, so that a clock that was set back refuses nobody for the time it was set back by.
    const left = SHAKE_INTERVAL_MS - Math.abs(now - (last ?? -Infinity));
    if (left > 0) throw new Refusal("message.shakeTooOften", { seconds: Math.ceil(left / 1_000) });
    shaken.delete(pair);
    shaken.set(pair, now);
    for (const oldest of shaken.keys()) {
      if (shaken.size <= PAIRS_MAX) break;
      shaken.delete(oldest);
    }
    let isNew = false;
    try {
      const sent = await append();
      isNew = sent.isNew;
      return sent;
    } finally {
      if (!isNew && shaken.get(pair) === now) {
        if (last === undefined) shaken.delete(pair);
        else shaken.set(pair, last);
      }
    }
  };
}
