import { ChatType } from "@parley/protocol/codes";
import { type Expression, type Kysely, type SqlBool, expressionBuilder } from "kysely";
import type { RowOf } from "../../ports/message-store.ts";
import type { ChatKind } from "../../ports/stored-message.ts";
import { groupMessageVersions } from "./group-message-versions.ts";
import { isVisibleInGroup, isWithin, visibleRanges } from "./group-visibility.ts";
import type { IdRange } from "./history-page.ts";
import { kindOfChat, messageRows, type StoredRow } from "./message-rows.ts";
import { isShownTo } from "./message-visibility.ts";
import { missedMessageReads } from "./missed-messages.ts";
import { inBatches, preparedQuery } from "./prepared-query.ts";
import { clearedPositions, isInChatOf, privateQuotes } from "./private-visibility.ts";
import { searchTag } from "./search-backfill.ts";
import type { MessageTable, Tables } from "./tables.ts";

/** What a person sees in the chats of one kind. Everything else about messages is the same for both kinds. */
export interface Visibility<Kind extends ChatKind> {
  /** The condition that a row `m` belongs to the person's chat with this person, or to this group. */
  isInChat(userId: number, targetId: number): Expression<SqlBool>;
  /** The condition that a row `m` is shown to a person who was in its chat at the time. */
  isShown(userId: number): Expression<SqlBool>;
  /** The ranges of ids in which the person sees the messages of a chat, ascending. */
  ranges(userId: number, targetId: number): Promise<readonly IdRange[]>;
  /** Those of these rows, of any chats, that lie in the ranges of the person. */
  withinRanges(userId: number, rows: readonly StoredRow[]): Promise<StoredRow[]>;
  /** Up to where the person has cleared all chats of this kind. */
  clearedUpTo(userId: number): Promise<number>;
  /** The rows with the texts that the person may see. */
  withSeenTexts(userId: number, rows: readonly StoredRow[]): Promise<readonly StoredRow[]>;
  /** The rows as the port has them; they and their quotes have the texts that the person may see. */
  toRows(userId: number, stored: readonly StoredRow[]): Promise<RowOf<Kind>[]>;
  /** Whether the person sees neither a message of the chat nor a row that quotes it. */
  hasLost(userId: number, targetId: number, id: number): Promise<boolean>;
  /** Tags of the search index of which a message must have one from each list; undefined: no message can match. */
  searchTags(userId: number, targetId: number | undefined): Promise<string[][] | undefined>;
}

/** What people see, by the kind of chat. */
export function visibilities(db: Kysely<Tables>): { [Kind in ChatKind]: Visibility<Kind> } {
  return { PRIVATE: privateVisibility(db), GROUP: groupVisibility(db) };
}

/**
 * Returns those of these messages that a person sees and that are in a chat of this kind; `targetOfRow` tells in which. Whatever takes ids of
 * messages from a person asks it.
 */
export function visibleRows<Kind extends ChatKind>(
  db: Kysely<Tables>,
  kind: Kind,
  { isShown, withinRanges }: Visibility<Kind>,
): (userId: number, ids: readonly number[]) => Promise<StoredRow[]> {
  const shownById = preparedQuery(db, (userId: number, id: number) =>
    db.selectFrom("message as m").selectAll("m").where("m.id", "=", id).where(isShown(userId)),
  );
  async function shown(userId: number, ids: readonly number[]): Promise<StoredRow[]> {
    const [first] = ids;
    if (first !== undefined && ids.length === 1) return (await shownById(userId, first)).rows;
    const rows: StoredRow[] = [];
    for (const batch of inBatches(ids)) {
      const query = db.selectFrom("message as m").selectAll("m").where("m.id", "in", batch);
      rows.push(...(await query.where(isShown(userId)).execute()));
    }
    return rows;
  }
  return async (userId, ids) =>
    withinRanges(
      userId,
      (await shown(userId, ids)).filter((row) => kindOfChat(row) === kind),
    );
}

/** Both people see a private message, until they clear or hide it. */
function privateVisibility(db: Kysely<Tables>): Visibility<typeof ChatType.PRIVATE> {
  const toRows = messageRows(db, ChatType.PRIVATE);
  const clearedUpTo = clearedPositions(db);
  const seesQuote = privateQuotes(db);
  const chatOf = preparedQuery(db, (ownerId: number, peerId: number) =>
    db.selectFrom("privateChat").select("chatId").where("ownerId", "=", ownerId).where("peerId", "=", peerId),
  );
  const shown = preparedQuery(db, (userId: number, id: number) =>
    db.selectFrom("message as m").select("m.id").where("m.id", "=", id).where(isShownTo(userId)),
  );
  return {
    isInChat: isInChatOf,
    isShown: isShownTo,
    ranges: async (userId) => [{ from: (await clearedUpTo(userId)) + 1, to: Number.MAX_SAFE_INTEGER }],
    async withinRanges(userId, rows) {
      const cleared = await clearedUpTo(userId);
      return rows.filter((row) => row.id > cleared && (row.sendId === userId || row.recvId === userId));
    },
    clearedUpTo,
    withSeenTexts: async (_, rows) => rows,
    toRows: (_, stored) => toRows(stored),
    async hasLost(userId, friendId, id) {
      const isSeen = id > (await clearedUpTo(userId)) && (await shown(userId, id)).rows.length > 0;
      return !isSeen && !(await seesQuote(userId, friendId, id));
    },
    async searchTags(userId, friendId) {
      const person = [searchTag.person(userId)];
      if (friendId === undefined) return [person];
      const [chat] = (await chatOf(userId, friendId)).rows;
      return chat && [person, [searchTag.chat(chat.chatId)]];
    },
  };
}

/** People see what was written during their stays in a group, with the texts of these stays. */
function groupVisibility(db: Kysely<Tables>): Visibility<typeof ChatType.GROUP> {
  const ranges = visibleRanges(db);
  const toCurrentRows = messageRows(db, ChatType.GROUP);
  const { asSeen } = groupMessageVersions(db);
  const { listGroupHiders } = missedMessageReads(db);
  return {
    isInChat(_, groupId) {
      const eb = expressionBuilder<Tables & { m: MessageTable }, "m">();
      return eb("m.chatId", "=", groupId);
    },
    isShown: isVisibleInGroup,
    ranges: ranges.inGroup,
    async withinRanges(userId, rows) {
      const [first] = rows;
      if (first === undefined) return [];
      if (rows.length === 1) {
        const visible = await ranges.inGroup(userId, first.chatId);
        return isWithin(visible, first.id) ? [first] : [];
      }
      const visible = await ranges.everywhere(userId);
      return rows.filter(({ chatId, id }) => isWithin(visible.get(chatId) ?? [], id));
    },
    clearedUpTo: ranges.clearedUpTo,
    withSeenTexts: (userId, rows) =>
      asSeen(
        userId,
        rows.map((row) => ({ ...row, groupId: row.chatId })),
      ),
    toRows: async (userId, stored) => asSeen(userId, await toCurrentRows(stored)),
    hasLost: async (userId, _, id) => (await listGroupHiders(id)).includes(userId),
    async searchTags(userId, groupId) {
      const groups = [...(await ranges.everywhere(userId)).keys()];
      const searched = groupId === undefined ? groups : groups.filter((id) => id === groupId);
      return searched.length === 0 ? undefined : [searched.map(searchTag.chat)];
    },
  };
}
