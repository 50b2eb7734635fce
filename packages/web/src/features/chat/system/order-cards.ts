import { RequestStatus } from "@parley/protocol/codes";
import { systemRequestOf } from "@parley/core/model/chats/chat-rows";
import type { ChatMessage } from "@parley/core/model/state";

/** Whether this card still waits for an answer of the reader. */
export function isPending(message: ChatMessage): boolean {
  return systemRequestOf(message)?.status === RequestStatus.PENDING;
}

/** A request stays on top until it is answered, anything else as its sender says. */
function isOnTop(message: ChatMessage): boolean {
  return systemRequestOf(message) === null ? message.system?.isTop === true : isPending(message);
}

/** Cards as they stand: what stays on top first (spec §4), each part newest first. */
export function orderCards(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  const newestFirst = messages.toReversed();
  return [...newestFirst.filter(isOnTop), ...newestFirst.filter((message) => !isOnTop(message))];
}
