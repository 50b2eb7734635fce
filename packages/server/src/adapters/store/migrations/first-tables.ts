import type { Kysely } from "kysely";
import type { Tables } from "../tables.ts";

/**
 * Creates the first tables. `idType` is the dialect's 64-bit type for a primary key that is the row's address
 * (in SQLite it must be called `integer`). Messages have no foreign keys: they would cost two look-ups per row
 * for people that the hot path has just checked.
 */
export async function createFirstTables(db: Kysely<Tables>, idType: "integer" | "bigint"): Promise<void> {
  const { schema } = db;

  await schema
    .createTable("meta")
    .addColumn("key", "text", (c) => c.primaryKey())
    .addColumn("value", "text", (c) => c.notNull())
    .execute();

  await schema
    .createTable("user")
    .addColumn("id", idType, (c) => c.primaryKey())
    .addColumn("userName", "text", (c) => c.notNull())
    .addColumn("nickName", "text", (c) => c.notNull())
    .addColumn("userNameKey", "text", (c) => c.notNull().unique())
    .addColumn("nickNameKey", "text", (c) => c.notNull())
    .addColumn("passwordHash", "text", (c) => c.notNull())
    .addColumn("sex", "integer")
    .addColumn("signature", "text")
    .addColumn("birthday", "text")
    .addColumn("mobile", "text")
    .addColumn("email", "text")
    .addColumn("headImage", "text")
    .addColumn("headImageThumb", "text")
    .addColumn("isManualApprove", "integer", (c) => c.notNull())
    .addColumn("banReason", "text")
    .addColumn("unregisteredAt", "bigint")
    .addColumn("registeredAt", "bigint", (c) => c.notNull())
    .addColumn("registerDevice", "text")
    .execute();

  await schema
    .createTable("session")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("userId", "bigint", (c) => c.notNull().references("user.id"))
    .addColumn("terminal", "integer", (c) => c.notNull())
    .addColumn("deviceNo", "text")
    .addColumn("device", "text")
    .addColumn("os", "text")
    .addColumn("browser", "text")
    .addColumn("refreshSerial", "bigint", (c) => c.notNull())
    .addColumn("refreshedAt", "bigint", (c) => c.notNull())
    .addColumn("createdAt", "bigint", (c) => c.notNull())
    .addColumn("lastSeenAt", "bigint", (c) => c.notNull())
    .addColumn("expiresAt", "bigint", (c) => c.notNull())
    .addColumn("endedAt", "bigint")
    .execute();
  await schema.createIndex("sessionByUser").on("session").columns(["userId", "expiresAt"]).execute();

  await schema
    .createTable("friend")
    .addColumn("ownerId", "bigint", (c) => c.notNull().references("user.id"))
    .addColumn("friendId", "bigint", (c) => c.notNull().references("user.id"))
    .addColumn("remarkNickName", "text")
    .addColumn("isTop", "integer", (c) => c.notNull())
    .addColumn("msgRemind", "integer", (c) => c.notNull())
    .addColumn("isDeleted", "integer", (c) => c.notNull())
    .addPrimaryKeyConstraint("friendKey", ["ownerId", "friendId"])
    .execute();
  await schema
    .createIndex("friendByFriend")
    .on("friend")
    .columns(["friendId", "isDeleted", "ownerId"])
    .execute();

  await schema
    .createTable("friendRequest")
    .addColumn("id", idType, (c) => c.primaryKey())
    .addColumn("sendId", "bigint", (c) => c.notNull().references("user.id"))
    .addColumn("recvId", "bigint", (c) => c.notNull().references("user.id"))
    .addColumn("remark", "text", (c) => c.notNull())
    .addColumn("status", "integer", (c) => c.notNull())
    .addColumn("applyTime", "bigint", (c) => c.notNull())
    .execute();
  await schema
    .createIndex("friendRequestBySender")
    .on("friendRequest")
    .columns(["sendId", "status"])
    .execute();
  await schema
    .createIndex("friendRequestByReceiver")
    .on("friendRequest")
    .columns(["recvId", "status"])
    .execute();

  await schema
    .createTable("block")
    .addColumn("ownerId", "bigint", (c) => c.notNull().references("user.id"))
    .addColumn("otherId", "bigint", (c) => c.notNull().references("user.id"))
    .addColumn("createdAt", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("blockKey", ["ownerId", "otherId"])
    .execute();
  await schema.createIndex("blockByOther").on("block").columns(["otherId", "ownerId"]).execute();

  await schema
    .createTable("privateChat")
    .addColumn("id", idType, (c) => c.primaryKey())
    .addColumn("ownerId", "bigint", (c) => c.notNull())
    .addColumn("peerId", "bigint", (c) => c.notNull())
    .addColumn("chatId", "bigint", (c) => c.notNull())
    .addColumn("readId", "bigint", (c) => c.notNull())
    .addColumn("changed", "bigint", (c) => c.notNull())
    .execute();
  // A pull finds a person's chats in this index and reads `chatId` from the rows.
  await schema
    .createIndex("privateChatOfOwner")
    .unique()
    .on("privateChat")
    .columns(["ownerId", "peerId"])
    .execute();
  await schema.createIndex("privateChatChanged").on("privateChat").columns(["ownerId", "changed"]).execute();

  await schema
    .createTable("privateMessage")
    .addColumn("id", idType, (c) => c.primaryKey())
    .addColumn("chatId", "bigint", (c) => c.notNull())
    .addColumn("tmpId", "text")
    .addColumn("type", "integer", (c) => c.notNull())
    .addColumn("sendId", "bigint", (c) => c.notNull())
    .addColumn("recvId", "bigint", (c) => c.notNull())
    .addColumn("sendNickName", "text", (c) => c.notNull())
    .addColumn("content", "text", (c) => c.notNull())
    .addColumn("sendTime", "bigint", (c) => c.notNull())
    .addColumn("tip", "text")
    .addColumn("act", "text")
    .addColumn("onlyFor", "bigint")
    .execute();
  // Only two indexes: each further one costs about 8 us per message. `onlyFor` lets pulls and pages check
  // visibility in the index.
  await schema
    .createIndex("privateMessageTmpId")
    .unique()
    .on("privateMessage")
    .columns(["sendId", "tmpId"])
    .execute();
  await schema
    .createIndex("privateMessageChat")
    .on("privateMessage")
    .columns(["chatId", "id", "onlyFor"])
    .execute();

  await schema
    .createTable("systemMessage")
    .addColumn("id", idType, (c) => c.primaryKey())
    .addColumn("userId", "bigint", (c) => c.notNull().references("user.id"))
    .addColumn("seqNo", "bigint", (c) => c.notNull())
    .addColumn("type", "integer", (c) => c.notNull())
    .addColumn("title", "text")
    .addColumn("intro", "text")
    .addColumn("coverUrl", "text")
    .addColumn("content", "text", (c) => c.notNull())
    .addColumn("sendTime", "bigint", (c) => c.notNull())
    .addColumn("requestId", "bigint")
    .addColumn("changed", "bigint", (c) => c.notNull())
    .addUniqueConstraint("systemMessageSeqNo", ["userId", "seqNo"])
    .execute();
  await schema
    .createIndex("systemMessageChanged")
    .on("systemMessage")
    .columns(["userId", "changed"])
    .execute();
  await schema.createIndex("systemMessageRequest").on("systemMessage").column("requestId").execute();

  await schema
    .createTable("userState")
    .addColumn("userId", idType, (c) => c.primaryKey())
    .addColumn("lastChange", "bigint", (c) => c.notNull())
    .addColumn("systemRead", "bigint", (c) => c.notNull())
    .addColumn("systemReadChanged", "bigint", (c) => c.notNull())
    .execute();

  await schema
    .createTable("inviteCode")
    .addColumn("code", "text", (c) => c.primaryKey())
    .addColumn("usesLeft", "bigint", (c) => c.notNull())
    .addColumn("expiresAt", "bigint")
    .execute();

  await schema
    .createTable("file")
    .addColumn("url", "text", (c) => c.primaryKey())
    .addColumn("userId", "bigint")
    .addColumn("bytes", "bigint", (c) => c.notNull())
    .addColumn("createdAt", "bigint", (c) => c.notNull())
    .execute();
  await schema.createIndex("fileByUser").on("file").columns(["userId", "createdAt"]).execute();
}
