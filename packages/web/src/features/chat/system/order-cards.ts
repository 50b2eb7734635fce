import { RequestStatus } from "@parley/protocol/codes";
import type { ChatMessage } from "@parley/core/model/state";

/** Whether this card still waits for an answer of the reader. */
export function isPending(message: ChatMessage): boolean {
  return message.system?.request?.status === RequestStatus.PENDING;
}

/** Cards as they stand: requests without an answer first (spec §4), each part newest first. */
export function orderCards(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  const newestFirst = messages.toReversed();
  return [...newestFirst.filter(isPending), ...newestFirst.filter((message) => !isPending(message))];
}
