/** One shake in a while for a sender and chat. */
import { SHAKE_INTERVAL_MS } from "@parley/protocol/limits";
import { Refusal } from "../../ports/call.ts";

const PAIRS_MAX = 10_000;

/** Refuses a shake that comes too soon after the last one; `chat` tells this kind's chats from each other. */
export type TakeShake = (sendId: number, chat: string, now: number) => void;

export function createShakes(): TakeShake {
  /** When each pair last shook, the oldest first. */
  const shaken = new Map<string, number>();
  return (sendId, chat, now) => {
    const pair = `${sendId}:${chat}`;
    // Either way, so that a clock that was set back refuses nobody for the time it was set back by.
    const left = SHAKE_INTERVAL_MS - Math.abs(now - (shaken.get(pair) ?? -Infinity));
    if (left > 0) throw new Refusal("message.shakeTooOften", { seconds: Math.ceil(left / 1_000) });
    shaken.delete(pair);
    shaken.set(pair, now);
    for (const oldest of shaken.keys()) {
      if (shaken.size <= PAIRS_MAX) break;
      shaken.delete(oldest);
    }
  };
}
