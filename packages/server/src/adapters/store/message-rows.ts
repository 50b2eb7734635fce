import { MessageType } from "@parley/protocol/codes";
import type { CallResult, Tip } from "@parley/protocol/message";
import type { Kysely, Selectable } from "kysely";
import type { GroupMessageRow } from "../../ports/group-message-store.ts";
import type { PrivateRow } from "../../ports/private-message-store.ts";
import type { QuotedRow } from "../../ports/stored-message.ts";
import type { GroupMessageTable } from "./group-tables.ts";
import { groupMessageVersions } from "./group-message-versions.ts";
import { inBatches } from "./prepared-query.ts";
import type { PrivateMessageTable, Tables } from "./tables.ts";
import { PLACEHOLDER_CONTENT, reportUnreadableRow } from "./unreadable-rows.ts";

/** Turns rows of the table into rows of the port; each quote contains the current text of the quoted row. */
export function privateRows(
  db: Kysely<Tables>,
): (stored: readonly Selectable<PrivateMessageTable>[]) => Promise<PrivateRow[]> {
  return withQuotes(
    db,
    "privateMessage",
    ({ chatId: _, quoteId: _id, tip, act, ...row }, quote) => ({ ...row, ...readTip(tip, act), quote }),
    ({ chatId: _, quoteId: _id, ...row }) => ({ ...row, ...PLACEHOLDER_CONTENT }),
  );
}

/** The same for group messages. */
export function groupRows(
  db: Kysely<Tables>,
): (stored: readonly Selectable<GroupMessageTable>[]) => Promise<GroupMessageRow[]> {
  return withQuotes(
    db,
    "groupMessage",
    ({ quoteId: _, tip, act, atUserIds, receipt, ...row }, quote) => ({
      ...row,
      ...readTip(tip, act),
      // This adapter wrote the value from this type.
      atUserIds: atUserIds === null ? [] : (JSON.parse(atUserIds) as number[]),
      receipt: receipt === 1,
      quote,
    }),
    ({ quoteId: _, ...row }) => ({ ...row, ...PLACEHOLDER_CONTENT, atUserIds: [], receipt: false }),
  );
}

/** The same, with the texts that one person may see. */
export function visibleGroupRows(
  db: Kysely<Tables>,
): (userId: number, stored: readonly Selectable<GroupMessageTable>[]) => Promise<GroupMessageRow[]> {
  const toRows = groupRows(db);
  const { asSeen } = groupMessageVersions(db);
  return async (userId, stored) => asSeen(userId, await toRows(stored));
}

/** This adapter wrote both values from these types. */
function readTip(tip: string | null, act: string | null): { tip: Tip | null; act: CallResult | null } {
  return {
    tip: tip === null ? null : (JSON.parse(tip) as Tip),
    act: act === null ? null : (JSON.parse(act) as CallResult),
  };
}

function withQuotes<Stored extends { id: number; content: string; quoteId: number | null }, Row>(
  db: Kysely<Tables>,
  table: "privateMessage" | "groupMessage",
  toRow: (stored: Stored, quote: QuotedRow | null) => Row,
  toPlaceholder: (stored: Stored) => Row,
): (stored: readonly Stored[]) => Promise<Row[]> {
  async function findQuoted(ids: readonly number[]): Promise<Map<number, QuotedRow>> {
    const quotes = new Map<number, QuotedRow>();
    for (const batch of inBatches(ids)) {
      const rows = await db
        .selectFrom(table)
        .select(["id", "sendId", "content", "type", "noticeId"])
        .where("id", "in", batch)
        .execute();
      for (const row of rows) quotes.set(row.id, toQuoted(row));
    }
    if (table === "groupMessage") await clearRemovedQuotes(quotes);
    return quotes;
  }

  /** A quote of a message that a moderator removed has no text either. */
  async function clearRemovedQuotes(quotes: Map<number, QuotedRow>): Promise<void> {
    for (const batch of inBatches([...quotes.keys()])) {
      const removed = await db
        .selectFrom("groupMessage as m")
        .innerJoin("groupPurge as p", (join) =>
          join.onRef("p.groupId", "=", "m.groupId").onRef("p.userId", "=", "m.sendId"),
        )
        .select("m.id")
        .where("m.id", "in", batch)
        .whereRef("m.id", "<=", "p.upTo")
        .execute();
      for (const { id } of removed) {
        const quote = quotes.get(id);
        if (quote !== undefined)
          quotes.set(id, { ...quote, content: "", type: MessageType.TIP_TEXT, isRecalled: false });
      }
    }
  }

  return async (stored) => {
    const ids = stored.flatMap(({ quoteId }) => (quoteId === null ? [] : [quoteId]));
    const quotes = ids.length === 0 ? undefined : await findQuoted(ids);
    return stored.map((row) => {
      try {
        if (typeof row.content !== "string") throw new TypeError("the content is no text");
        return toRow(row, row.quoteId === null ? null : (quotes?.get(row.quoteId) ?? null));
      } catch (error) {
        reportUnreadableRow(table, row.id, error);
        return toPlaceholder(row);
      }
    });
  };
}

function toQuoted({
  noticeId,
  ...row
}: Omit<QuotedRow, "isRecalled"> & { noticeId: number | null }): QuotedRow {
  const isRecalled = noticeId !== null;
  if (typeof row.content !== "string") {
    return { ...row, type: PLACEHOLDER_CONTENT.type, content: PLACEHOLDER_CONTENT.content, isRecalled };
  }
  return { ...row, content: isRecalled ? "" : row.content, isRecalled };
}
