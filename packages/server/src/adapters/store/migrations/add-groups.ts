import type { Kysely } from "kysely";
import type { Tables } from "../tables.ts";

/** Adds groups, their members, requests and messages. */
export async function addGroups(db: Kysely<Tables>, idType: "integer" | "bigint"): Promise<void> {
  const { schema } = db;

  await schema
    .createTable("chatGroup")
    .addColumn("id", idType, (c) => c.primaryKey())
    .addColumn("name", "text", (c) => c.notNull())
    .addColumn("nameKey", "text", (c) => c.notNull())
    .addColumn("ownerId", "bigint", (c) => c.notNull().references("user.id"))
    .addColumn("headImage", "text")
    .addColumn("headImageThumb", "text")
    .addColumn("notice", "text")
    .addColumn("isAllMuted", "integer", (c) => c.notNull())
    .addColumn("inviteRole", "integer", (c) => c.notNull())
    .addColumn("editRole", "integer", (c) => c.notNull())
    .addColumn("attrRole", "integer", (c) => c.notNull())
    .addColumn("joinApproval", "integer", (c) => c.notNull())
    .addColumn("attributes", "text", (c) => c.notNull())
    .addColumn("banReason", "text")
    .addColumn("isLarge", "integer", (c) => c.notNull())
    .addColumn("dissolvedAt", "bigint")
    .addColumn("createdAt", "bigint", (c) => c.notNull())
    .execute();

  await schema
    .createTable("groupMember")
    .addColumn("groupId", "bigint", (c) => c.notNull().references("chatGroup.id"))
    .addColumn("userId", "bigint", (c) => c.notNull().references("user.id"))
    .addColumn("role", "integer", (c) => c.notNull())
    .addColumn("isMuted", "integer", (c) => c.notNull())
    .addColumn("remarkNickName", "text")
    .addColumn("remarkGroupName", "text")
    .addColumn("isTop", "integer", (c) => c.notNull())
    .addColumn("msgRemind", "integer", (c) => c.notNull())
    .addColumn("quit", "integer", (c) => c.notNull())
    .addColumn("joinedAt", "bigint", (c) => c.notNull())
    .addColumn("firstJoinedAt", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("groupMemberKey", ["groupId", "userId"])
    .execute();
  await schema
    .createIndex("groupMemberByUser")
    .on("groupMember")
    .columns(["userId", "groupId", "quit"])
    .execute();
  // Counts the members of many groups from the index alone.
  await schema.createIndex("groupMemberCount").on("groupMember").columns(["groupId", "quit"]).execute();

  await schema
    .createTable("groupStay")
    .addColumn("groupId", "bigint", (c) => c.notNull())
    .addColumn("userId", "bigint", (c) => c.notNull())
    .addColumn("nth", "integer", (c) => c.notNull())
    .addColumn("fromId", "bigint", (c) => c.notNull())
    .addColumn("toId", "bigint")
    .addPrimaryKeyConstraint("groupStayKey", ["userId", "groupId", "nth"])
    .execute();

  await schema
    .createTable("groupRequest")
    .addColumn("id", idType, (c) => c.primaryKey())
    .addColumn("groupId", "bigint", (c) => c.notNull().references("chatGroup.id"))
    .addColumn("sendId", "bigint", (c) => c.notNull().references("user.id"))
    .addColumn("inviterId", "bigint", (c) => c.references("user.id"))
    .addColumn("remark", "text", (c) => c.notNull())
    .addColumn("status", "integer", (c) => c.notNull())
    .addColumn("applyTime", "bigint", (c) => c.notNull())
    .execute();
  await schema.createIndex("groupRequestByGroup").on("groupRequest").columns(["groupId", "status"]).execute();
  await schema.createIndex("groupRequestBySender").on("groupRequest").columns(["sendId", "status"]).execute();
  await schema
    .createIndex("groupRequestByInviter")
    .on("groupRequest")
    .columns(["inviterId", "status"])
    .execute();
  await schema.alterTable("systemMessage").addColumn("groupRequestId", "bigint").execute();
  await schema
    .createIndex("systemMessageGroupRequest")
    .on("systemMessage")
    .column("groupRequestId")
    .execute();

  await schema
    .createTable("groupPurge")
    .addColumn("groupId", "bigint", (c) => c.notNull())
    .addColumn("userId", "bigint", (c) => c.notNull())
    .addColumn("upTo", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("groupPurgeKey", ["groupId", "userId"])
    .execute();
  await schema
    .createTable("groupPurgeNews")
    .addColumn("ownerId", "bigint", (c) => c.notNull())
    .addColumn("groupId", "bigint", (c) => c.notNull())
    .addColumn("userId", "bigint", (c) => c.notNull())
    .addColumn("changed", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("groupPurgeNewsKey", ["ownerId", "groupId", "userId"])
    .execute();

  await schema
    .createTable("groupMessage")
    .addColumn("id", idType, (c) => c.primaryKey())
    .addColumn("groupId", "bigint", (c) => c.notNull())
    .addColumn("tmpId", "text")
    .addColumn("type", "integer", (c) => c.notNull())
    .addColumn("sendId", "bigint", (c) => c.notNull())
    .addColumn("sendNickName", "text", (c) => c.notNull())
    .addColumn("sendRole", "integer", (c) => c.notNull())
    .addColumn("content", "text", (c) => c.notNull())
    .addColumn("sendTime", "bigint", (c) => c.notNull())
    .addColumn("tip", "text")
    .addColumn("act", "text")
    .addColumn("onlyFor", "bigint")
    .addColumn("quoteId", "bigint")
    .addColumn("editedAt", "bigint")
    .addColumn("noticeId", "bigint")
    .addColumn("atUserIds", "text")
    .addColumn("receipt", "integer", (c) => c.notNull())
    .execute();
  // Only two indexes, as for private messages.
  await schema
    .createIndex("groupMessageTmpId")
    .unique()
    .on("groupMessage")
    .columns(["sendId", "tmpId"])
    .execute();
  await schema
    .createIndex("groupMessageGroup")
    .on("groupMessage")
    .columns(["groupId", "id", "onlyFor"])
    .execute();
}
