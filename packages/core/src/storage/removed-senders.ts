import type { ChatKey, ChatMessage } from "../model/state.ts";
import type { Database } from "../ports.ts";

/** A sender whose messages in a chat were removed up to an id. */
export interface RemovedSender {
  readonly chatKey: ChatKey;
  readonly userId: number;
  readonly upTo: number;
}

/** How many messages are read at once. */
const CHUNK = 500;

/** Whether a message is among those removed with their sender. */
export function isFromRemovedSender(
  removedSenders: readonly RemovedSender[],
  chatKey: ChatKey,
  { id, sendId }: ChatMessage,
): boolean {
  return removedSenders.some(
    (removed) => removed.chatKey === chatKey && removed.userId === sendId && (id ?? Infinity) <= removed.upTo,
  );
}

/** The ids of the stored messages that are removed with their sender. */
export async function idsOfRemovedSender(
  database: Pick<Database, "messagesBefore">,
  { chatKey, userId, upTo }: RemovedSender,
): Promise<number[]> {
  const ids: number[] = [];
  for (let below = upTo + 1; ;) {
    const messages = await database.messagesBefore(chatKey, below, CHUNK);
    for (const { id, sendId } of messages) if (sendId === userId && id !== null) ids.push(id);
    const first = messages[0]?.id;
    if (messages.length < CHUNK || !first) return ids;
    below = first;
  }
}
