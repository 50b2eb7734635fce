import { ChatType, MessageType } from "@parley/protocol/codes";
import type { CallResult, Tip } from "@parley/protocol/message";
import type { Kysely, Selectable } from "kysely";
import type { GroupMessageRow } from "../../ports/group-message-store.ts";
import type { RowOf } from "../../ports/message-store.ts";
import type { PrivateRow } from "../../ports/private-message-store.ts";
import type { ChatKind, QuotedRow, StoredMessage } from "../../ports/stored-message.ts";
import { inBatches, preparedListQuery, preparedQuery } from "./prepared-query.ts";
import type { MessageTable, Tables } from "./tables.ts";
import { PLACEHOLDER_CONTENT, reportUnreadableRow } from "./unreadable-rows.ts";

/** A row of the table. */
export type StoredRow = Selectable<MessageTable>;

/** The kind of chat that a row of the table belongs to. */
export function kindOfChat({ chatId }: Pick<StoredRow, "chatId">): ChatKind {
  return chatId < 0 ? ChatType.PRIVATE : ChatType.GROUP;
}

/** The chat of a row, as somebody in it sees it. */
export function targetOfRow(
  userId: number,
  row: Pick<StoredRow, "chatId" | "sendId" | "recvId">,
): { type: ChatKind; targetId: number } {
  const type = kindOfChat(row);
  if (type === ChatType.GROUP) return { type, targetId: row.chatId };
  return { type, targetId: row.sendId === userId ? row.recvId : row.sendId };
}

/** The fields that only the rows of one kind of chat have. */
const OWN_FIELDS: { [Kind in ChatKind]: (stored: StoredRow) => Omit<RowOf<Kind>, keyof StoredMessage> } = {
  PRIVATE: ({ recvId }): Omit<PrivateRow, keyof StoredMessage> => ({ recvId }),
  GROUP: ({ chatId, sendRole, atUserIds, receipt }): Omit<GroupMessageRow, keyof StoredMessage> => ({
    groupId: chatId,
    sendRole,
    // This adapter wrote the value from this type.
    atUserIds: atUserIds === null ? [] : (JSON.parse(atUserIds) as number[]),
    receipt: receipt === 1,
  }),
};

/** Turns rows of the table into rows of the port; each quote contains the current text of the quoted row. */
export function messageRows<Kind extends ChatKind>(
  db: Kysely<Tables>,
  kind: Kind,
): (stored: readonly StoredRow[]) => Promise<RowOf<Kind>[]> {
  const findQuoted = quotedRows(db);
  const toRow = (stored: StoredRow, quote: QuotedRow | null): RowOf<Kind> => {
    const { chatId: _, recvId: _r, sendRole: _s, atUserIds: _a, receipt: _c, ...common } = stored;
    const { quoteId: _q, tip, act, ...row } = common;
    // The common fields and those of this kind are all that it has.
    return { ...row, ...readTip(tip, act), quote, ...OWN_FIELDS[kind](stored) } as RowOf<Kind>;
  };

  return async (stored) => {
    const quotes = await findQuoted(stored.flatMap(({ quoteId }) => (quoteId === null ? [] : [quoteId])));
    return stored.map((row) => {
      try {
        if (typeof row.content !== "string") throw new TypeError("the content is no text");
        return toRow(row, row.quoteId === null ? null : (quotes.get(row.quoteId) ?? null));
      } catch (error) {
        reportUnreadableRow("message", row.id, error);
        const { type, content } = PLACEHOLDER_CONTENT;
        return toRow({ ...row, type, content, tip: null, act: null, atUserIds: null, receipt: 0 }, null);
      }
    });
  };
}

/** This adapter wrote both values from these types. */
function readTip(tip: string | null, act: string | null): { tip: Tip | null; act: CallResult | null } {
  return {
    tip: tip === null ? null : (JSON.parse(tip) as Tip),
    act: act === null ? null : (JSON.parse(act) as CallResult),
  };
}

/** Reads quoted rows in their current state. */
function quotedRows(db: Kysely<Tables>): (ids: readonly number[]) => Promise<Map<number, QuotedRow>> {
  /** A quote of a message that a moderator removed has no text either. */
  async function clearRemoved(quotes: Map<number, QuotedRow>): Promise<void> {
    for (const batch of inBatches([...quotes.keys()])) {
      const removed = await db
        .selectFrom("message as m")
        .innerJoin("groupPurge as p", (join) =>
          join.onRef("p.groupId", "=", "m.chatId").onRef("p.userId", "=", "m.sendId"),
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

  return async (ids) => {
    const quotes = new Map<number, QuotedRow>();
    let isInGroup = false;
    for (const batch of inBatches(ids)) {
      const rows = await db
        .selectFrom("message")
        .select(["id", "chatId", "sendId", "content", "type", "noticeId"])
        .where("id", "in", batch)
        .execute();
      for (const { chatId, ...row } of rows) {
        isInGroup ||= kindOfChat({ chatId }) === ChatType.GROUP;
        quotes.set(row.id, toQuoted(row));
      }
    }
    if (isInGroup) await clearRemoved(quotes);
    return quotes;
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

/** Reads single rows in their current state. A row of the other kind of chat counts as one that is not there. */
export function messageRowReads(db: Kysely<Tables>) {
  const toRows: { [Kind in ChatKind]: (stored: readonly StoredRow[]) => Promise<RowOf<Kind>[]> } = {
    PRIVATE: messageRows(db, ChatType.PRIVATE),
    GROUP: messageRows(db, ChatType.GROUP),
  };
  const byId = preparedQuery(db, (id: number) => db.selectFrom("message").selectAll().where("id", "=", id));
  const byIds = preparedListQuery(db, (ids: readonly number[]) =>
    db
      .selectFrom("message")
      .selectAll()
      .where("id", "in", [...ids]),
  );
  const byTmpId = preparedQuery(db, (sendId: number, tmpId: string) =>
    db.selectFrom("message").selectAll().where("tmpId", "=", tmpId).where("sendId", "=", sendId),
  );

  async function rowsOf<Kind extends ChatKind>(
    kind: Kind,
    stored: readonly StoredRow[],
  ): Promise<RowOf<Kind>[]> {
    return toRows[kind](stored.filter((row) => kindOfChat(row) === kind));
  }

  return {
    find: async <Kind extends ChatKind>(kind: Kind, id: number) =>
      (await rowsOf(kind, (await byId(id)).rows))[0],
    findAll: async <Kind extends ChatKind>(kind: Kind, ids: readonly number[]) =>
      rowsOf(kind, await byIds(ids)),
    findByTmpId: async <Kind extends ChatKind>(kind: Kind, sendId: number, tmpId: string) =>
      (await rowsOf(kind, (await byTmpId(sendId, tmpId)).rows))[0],
  };
}
