import { ChatType } from "@parley/protocol/codes";
import type { Kysely } from "kysely";
import type { GroupMessageReads } from "../../ports/group-message-store.ts";
import { groupReceiptReads } from "./group-receipts.ts";
import type { StoredRow } from "./message-rows.ts";
import { missedMessageReads } from "./missed-messages.ts";
import { inBatches, preparedQuery } from "./prepared-query.ts";
import type { Tables } from "./tables.ts";
import { visibilities } from "./visibility.ts";

/** Reads what only groups have: messages by their ids, and who has read or missed one. */
export function groupMessageReads(db: Kysely<Tables>): GroupMessageReads {
  const { toRows } = visibilities(db)[ChatType.GROUP];
  const newestOf = preparedQuery(db, (groupId: number) =>
    db.selectFrom("message").select("id").where("chatId", "=", groupId).orderBy("id", "desc").limit(1),
  );

  return {
    ...groupReceiptReads(db),
    ...missedMessageReads(db),
    async listGroupMessages(userId, ids) {
      const rows: StoredRow[] = [];
      for (const batch of inBatches(ids)) {
        rows.push(
          ...(await db.selectFrom("message").selectAll().where("id", "in", batch).orderBy("id").execute()),
        );
      }
      return toRows(userId, rows);
    },
    async newestGroupMessageId(groupId) {
      return (await newestOf(groupId)).rows[0]?.id ?? 0;
    },
  };
}
