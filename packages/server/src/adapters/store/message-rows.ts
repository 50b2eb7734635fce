import { MessageType } from "@parley/protocol/codes";
import type { CallResult, Tip } from "@parley/protocol/message";
import type { Kysely, Selectable } from "kysely";
import type { GroupMessageRow } from "../../ports/group-store.ts";
import type { PrivateRow } from "../../ports/store.ts";
import type { QuotedRow } from "../../ports/stored-message.ts";
import type { GroupMessageTable } from "./group-tables.ts";
import { groupMessageVersions } from "./group-message-versions.ts";
import { inBatches } from "./prepared-query.ts";
import type { PrivateMessageTable, Tables } from "./tables.ts";
import { PLACEHOLDER_CONTENT, reportUnreadableRow } from "./unreadable-rows.ts";

/** Turns rows as the table has them into those of the port, each quote as the quoted row stands now. */
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

export function groupRows(
  db: Kysely<Tables>,
): (stored: readonly Selectable<GroupMessageTable>[]) => Promise<GroupMessageRow[]> {
  return withQuotes(
    db,
    "groupMessage",
    ({ quoteId: _, tip, act, atUserIds, receipt, ...row }, quote) => ({
      ...row,
      ...readTip(tip, act),
      // Written from this type by this adapter.
      atUserIds: atUserIds === null ? [] : (JSON.parse(atUserIds) as number[]),
      receipt: receipt === 1,
      quote,
    }),
    ({ quoteId: _, ...row }) => ({ ...row, ...PLACEHOLDER_CONTENT, atUserIds: [], receipt: false }),
  );
}

/** The same, as one person was there for them. */
export function visibleGroupRows(
  db: Kysely<Tables>,
): (userId: number, stored: readonly Selectable<GroupMessageTable>[]) => Promise<GroupMessageRow[]> {
  const toRows = groupRows(db);
  const { asSeen } = groupMessageVersions(db);
  return async (userId, stored) => asSeen(userId, await toRows(stored));
}

/** Both were written from these types by this adapter. */
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
    const found = new Map<number, QuotedRow>();
    for (const piece of inBatches(ids)) {
      const rows = await db
        .selectFrom(table)
        .select(["id", "sendId", "content", "type", "noticeId"])
        .where("id", "in", piece)
        .execute();
      for (const row of rows) found.set(row.id, toQuoted(row));
    }
    if (table === "groupMessage") await clearRemovedQuotes(found);
    return found;
  }

  /** What one quotes of a person whose messages are gone is gone as well. */
  async function clearRemovedQuotes(quotes: Map<number, QuotedRow>): Promise<void> {
    for (const piece of inBatches([...quotes.keys()])) {
      const purged = await db
        .selectFrom("groupMessage as m")
        .innerJoin("groupPurge as p", (join) =>
          join.onRef("p.groupId", "=", "m.groupId").onRef("p.userId", "=", "m.sendId"),
        )
        .select("m.id")
        .where("m.id", "in", piece)
        .whereRef("m.id", "<=", "p.upTo")
        .execute();
      for (const { id } of purged) {
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
