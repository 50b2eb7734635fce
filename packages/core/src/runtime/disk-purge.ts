import type { ChatKey, ChatMessage } from "../model/state.ts";
import type { Database } from "./ports.ts";

/** All that this person wrote in a chat up to an id goes. */
export interface DiskPurge {
  readonly chatKey: ChatKey;
  readonly userId: number;
  readonly upTo: number;
}

/** Messages looked through at once for those of one person. */
const CHUNK = 500;

export function isPurged(
  purges: readonly DiskPurge[],
  chatKey: ChatKey,
  { id, sendId }: ChatMessage,
): boolean {
  return purges.some(
    (purge) => purge.chatKey === chatKey && purge.userId === sendId && (id ?? Infinity) <= purge.upTo,
  );
}

export async function purgedIds(
  database: Pick<Database, "messagesBefore">,
  { chatKey, userId, upTo }: DiskPurge,
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
