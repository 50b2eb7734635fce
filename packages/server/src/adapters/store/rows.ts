import type { Act, Tip } from "@parley/protocol/message";
import type { Kysely, Selectable } from "kysely";
import type { PrivateRow } from "../../ports/store.ts";
import type { QuotedRow } from "../../ports/stored.ts";
import { pieces } from "./prepared.ts";
import type { PrivateMessageTable, Tables } from "./tables.ts";

type Stored = Selectable<PrivateMessageTable>;

/** Turns rows as the table has them into those of the port, each quote as the quoted row stands now. */
export function privateRows(db: Kysely<Tables>): (stored: readonly Stored[]) => Promise<PrivateRow[]> {
  async function findQuoted(ids: readonly number[]): Promise<Map<number, QuotedRow>> {
    const found = new Map<number, QuotedRow>();
    for (const piece of pieces(ids)) {
      const rows = await db
        .selectFrom("privateMessage")
        .select(["id", "sendId", "content", "type", "noticeId"])
        .where("id", "in", piece)
        .execute();
      for (const row of rows) found.set(row.id, toQuoted(row));
    }
    return found;
  }

  return async (stored) => {
    const ids = stored.flatMap(({ quoteId }) => (quoteId === null ? [] : [quoteId]));
    const quotes = ids.length === 0 ? undefined : await findQuoted(ids);
    return stored.map((row) => toPrivate(row, quotes));
  };
}

function toPrivate(
  { chatId: _, quoteId, tip, act, ...row }: Stored,
  quotes: ReadonlyMap<number, QuotedRow> | undefined,
): PrivateRow {
  return {
    ...row,
    // Both were written from these types by this adapter.
    tip: tip === null ? null : (JSON.parse(tip) as Tip),
    act: act === null ? null : (JSON.parse(act) as Act),
    quote: quoteId === null ? null : (quotes?.get(quoteId) ?? null),
  };
}

function toQuoted({
  noticeId,
  ...row
}: Omit<QuotedRow, "isRecalled"> & { noticeId: number | null }): QuotedRow {
  const isRecalled = noticeId !== null;
  return { ...row, content: isRecalled ? "" : row.content, isRecalled };
}
