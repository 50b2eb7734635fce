import { MessageType } from "@parley/protocol/codes";
import { type Kysely, sql } from "kysely";
import type { Tables } from "../tables.ts";

/**
 * Adds whether only invited people join a group, whether people outside find it, and whether a moderator ended a member's last stay; and who has
 * found whom, with indexes of the cards that people were sent. Groups that are there, and those that servers of the version before make, can
 * be found as before.
 */
export async function addWaysToBeFound(db: Kysely<Tables>): Promise<void> {
  const { schema } = db;
  await schema
    .alterTable("chatGroup")
    .addColumn("isInviteOnly", "integer", (column) => column.notNull().defaultTo(0))
    .execute();
  await schema
    .alterTable("chatGroup")
    .addColumn("isFindable", "integer", (column) => column.notNull().defaultTo(1))
    .execute();
  await schema
    .alterTable("groupMember")
    .addColumn("isRemoved", "integer", (column) => column.notNull().defaultTo(0))
    .execute();
  await schema
    .createTable("foundPerson")
    .addColumn("finderId", "bigint", (column) => column.notNull())
    .addColumn("personId", "bigint", (column) => column.notNull())
    .addColumn("foundAt", "bigint", (column) => column.notNull())
    .addPrimaryKeyConstraint("foundPersonKey", ["finderId", "personId"])
    .execute();
  const card = sql.lit(MessageType.BUSINESS_CARD);
  await schema
    .createIndex("privateCardByReceiver")
    .on("privateMessage")
    .column("recvId")
    .where(sql.ref("type"), "=", card)
    .execute();
  await schema
    .createIndex("groupCardByGroup")
    .on("groupMessage")
    .columns(["groupId", "id"])
    .where(sql.ref("type"), "=", card)
    .execute();
}
