import { MessageType } from "@parley/protocol/codes";
import { kindOf } from "@parley/protocol/message";
import type { ChatMessage } from "@parley/core/model/state";

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
