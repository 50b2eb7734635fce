import { RequestStatus } from "@parley/protocol/codes";
import type { ChatMessage } from "@parley/core/model/state";

/** The request of a card: to be friends, or to join a group. */
export function requestOf({ system }: ChatMessage): { readonly status: number } | null {
  return system?.request ?? system?.groupRequest ?? null;
}

/** Whether this card still waits for an answer of the reader. */
export function isPending(message: ChatMessage): boolean {
  return requestOf(message)?.status === RequestStatus.PENDING;
}

/** Cards as they stand: requests without an answer first (spec §4), each part newest first. */
export function orderCards(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  const newestFirst = messages.toReversed();
  return [...newestFirst.filter(isPending), ...newestFirst.filter((message) => !isPending(message))];
}
