import { MessageType } from "@parley/protocol/codes";
import { kindOf } from "@parley/protocol/message";
import type { ChatMessage } from "@parley/core/model/state";

/** The number of bars of a voice message without a recorded wave (interface §6). */
const FLAT_BARS = 24;
const FLAT_LEVEL = 0.2;
const LEVEL_MIN = 0.12;

/** The heights of the bars of a voice message, 0 to 1, from its hexadecimal digits; flat if it has none. */
export function barsOf(wave: string | null): readonly number[] {
  if (wave === null || !/^[\da-f]{8,}$/i.test(wave)) return Array<number>(FLAT_BARS).fill(FLAT_LEVEL);
  return Array.from(wave, (digit) => LEVEL_MIN + (parseInt(digit, 16) / 15) * (1 - LEVEL_MIN));
}

/**
 * The voice message that plays by itself after the one with this key: the next of the same sender that I have not heard, unless somebody
 * else has written between. null: the playing ends here.
 */
export function nextVoice(
  messages: readonly ChatMessage[],
  key: string,
  isHeard: (message: ChatMessage) => boolean,
): ChatMessage | null {
  const index = messages.findIndex((message) => message.key === key);
  const ended = messages[index];
  if (ended === undefined) return null;
  for (const message of messages.slice(index + 1)) {
    if (kindOf(message.type)?.isTip === true) continue;
    if (message.sendId !== ended.sendId) return null;
    if (message.type === MessageType.AUDIO && !isHeard(message)) return message;
  }
  return null;
}
