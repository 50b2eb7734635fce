/** Notices that messages lie in the future: the clock was ahead when they were sent, and all others get their time until it has caught up. */
import type { Logger } from "pino";
import type { MessageTimeReads } from "../ports/message-time-store.ts";

/** Nodes whose clocks differ a little do no harm. */
const AHEAD_MAX_MS = 10_000;
/** How often the log repeats it. */
const REPEAT_MS = 3_600_000;

/** What the doctor and the log say of it; undefined if all is well. */
export function futureSentence(aheadMs: number): string | undefined {
  if (aheadMs <= AHEAD_MAX_MS) return undefined;
  return `The newest message lies ${Math.round(aheadMs / 1_000)} s in the future, so the clock was ahead, or is behind now, and new messages get that time: see to it that the clock is right, stop the server, run \`npm run admin -- correct-times\`, and start it again.`;
}

/** Watches the times of messages. */
export interface MessageClock {
  /** Looks at the newest messages, and logs a warning if they lie in the future. */
  check(): Promise<void>;
  /** How far the newest message lay in the future, in ms; undefined before the first look. */
  aheadMs(): number | undefined;
}

/** Creates what watches them. */
export function createMessageClock(
  store: MessageTimeReads,
  now: () => number,
  log: Pick<Logger, "warn">,
): MessageClock {
  let last: number | undefined;
  let warnedAt = -Infinity;
  return {
    async check() {
      last = await store.messagesAheadMs(now());
      const sentence = futureSentence(last);
      const time = performance.now();
      if (sentence === undefined) warnedAt = -Infinity;
      else if (time - warnedAt >= REPEAT_MS) {
        warnedAt = time;
        log.warn({ aheadSeconds: Math.round(last / 1_000) }, sentence);
      }
    },
    aheadMs: () => last,
  };
}
