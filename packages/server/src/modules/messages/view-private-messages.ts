/** Stored messages of private chats as one reader sees them. */
import type { PrivateMessage } from "@parley/protocol/message";
import type { Language } from "../../api/language.ts";
import type { ReadPositions } from "../../ports/change-store.ts";
import type { MessageExtraReads } from "../../ports/message-extra-store.ts";
import type { PrivateMessageReads, PrivateRow } from "../../ports/private-message-store.ts";
import { friendOf, privateMessage, statusFor, withExtra } from "../../presenters/message-presenter.ts";

/** Shows rows to one reader. `positions` says how far each chat is read; those that are missing are added. */
export async function viewPrivateMessages(
  store: Pick<PrivateMessageReads & MessageExtraReads, "privateReadPositions" | "listExtras">,
  userId: number,
  rows: readonly PrivateRow[],
  language: Language,
  positions = new Map<number, ReadPositions>(),
): Promise<PrivateMessage[]> {
  const missing = new Set(rows.map((row) => friendOf(userId, row)).filter((id) => !positions.has(id)));
  const loaded = missing.size === 0 ? [] : await store.privateReadPositions(userId, [...missing]);
  for (const position of loaded) positions.set(position.targetId, position);
  const extras = await store.listExtras(
    userId,
    rows.map(({ id }) => id),
  );
  return rows.map((row) =>
    withExtra(
      privateMessage(row, statusFor(userId, row, positions.get(friendOf(userId, row))), language),
      extras,
    ),
  );
}
