import { RequestStatus } from "@parley/protocol/codes";
import { systemRequestOf } from "@parley/core/model/chats/chat-rows";
import type { ChatMessage } from "@parley/core/model/state";

/** Whether this request waits for the reader's answer. */
export function isPending(message: ChatMessage): boolean {
  return systemRequestOf(message)?.status === RequestStatus.PENDING;
}

/** A request stays on top until it is answered, a notice if its sender pinned it. */
function isOnTop(message: ChatMessage): boolean {
  return systemRequestOf(message) === null ? message.system?.isTop === true : isPending(message);
}

/** Orders cards: those that stay on top first (spec §4), each part newest first. */
export function orderCards(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  const newestFirst = messages.toReversed();
  return [...newestFirst.filter(isOnTop), ...newestFirst.filter((message) => !isOnTop(message))];
}
