import type { Act, Tip } from "@parley/protocol/message";
import type { Kysely, Selectable } from "kysely";
import type { GroupMessageRow, GroupReads, GroupWrites } from "../../ports/groups.ts";
import type { QuotedRow } from "../../ports/stored.ts";
import type { GroupMessageTable } from "./group-tables.ts";
import { prepared } from "./prepared.ts";
import type { Tables } from "./tables.ts";

export type GroupMessageReads = Pick<GroupReads, "newestGroupMessageId">;

export function groupMessageReads(db: Kysely<Tables>): GroupMessageReads {
  const newest = prepared(db, (groupId: number) =>
    db.selectFrom("groupMessage").select("id").where("groupId", "=", groupId).orderBy("id", "desc").limit(1),
  );
  return {
    async newestGroupMessageId(groupId) {
      return (await newest(groupId)).rows[0]?.id ?? 0;
    },
  };
}

/** The newest message over all groups: where the sequence stands. */
export function groupHead(db: Kysely<Tables>): () => Promise<{ id: number; sendTime: number }> {
  const newest = prepared(db, () =>
    db.selectFrom("groupMessage").select(["id", "sendTime"]).orderBy("id", "desc").limit(1),
  );
  return async () => (await newest()).rows[0] ?? { id: 0, sendTime: 0 };
}

export type GroupMessageWrites = Pick<GroupWrites, "appendGroup">;

export function groupMessageWrites(db: Kysely<Tables>): GroupMessageWrites {
  const head = groupHead(db);

  async function findByTmpId(sendId: number, tmpId: string | null): Promise<GroupMessageRow | undefined> {
    if (tmpId === null) return undefined;
    const row = await db
      .selectFrom("groupMessage")
      .selectAll()
      .where("sendId", "=", sendId)
      .where("tmpId", "=", tmpId)
      .executeTakeFirst();
    return row && toGroupMessage(row, await findQuoted(row.quoteId));
  }

  async function findQuoted(id: number | null): Promise<QuotedRow | null> {
    if (id === null) return null;
    const row = await db
      .selectFrom("groupMessage")
      .select(["id", "sendId", "content", "type", "noticeId"])
      .where("id", "=", id)
      .executeTakeFirst();
    if (row === undefined) return null;
    const { noticeId, ...quoted } = row;
    const isRecalled = noticeId !== null;
    return { ...quoted, content: isRecalled ? "" : quoted.content, isRecalled };
  }

  return {
    async appendGroup({ atUserIds, receipt, tip, act, onlyFor, quote, ...message }) {
      const known = await findByTmpId(message.sendId, message.tmpId);
      if (known !== undefined) return { row: known, isNew: false };
      const newest = await head();
      const stored: Selectable<GroupMessageTable> = {
        ...message,
        id: newest.id + 1,
        sendTime: Math.max(newest.sendTime, message.sendTime),
        tip: tip === undefined ? null : JSON.stringify(tip),
        act: act === undefined ? null : JSON.stringify(act),
        onlyFor: onlyFor ?? null,
        quoteId: quote?.id ?? null,
        editedAt: null,
        noticeId: null,
        atUserIds: atUserIds === undefined || atUserIds.length === 0 ? null : JSON.stringify(atUserIds),
        receipt: receipt === true ? 1 : 0,
      };
      await db.insertInto("groupMessage").values(stored).execute();
      return { row: toGroupMessage(stored, quote ?? null), isNew: true };
    },
  };
}

function toGroupMessage(
  { quoteId: _, tip, act, atUserIds, receipt, ...row }: Selectable<GroupMessageTable>,
  quote: QuotedRow | null,
): GroupMessageRow {
  return {
    ...row,
    // All three were written from these types by this adapter.
    tip: tip === null ? null : (JSON.parse(tip) as Tip),
    act: act === null ? null : (JSON.parse(act) as Act),
    atUserIds: atUserIds === null ? [] : (JSON.parse(atUserIds) as number[]),
    receipt: receipt === 1,
    quote,
  };
}
