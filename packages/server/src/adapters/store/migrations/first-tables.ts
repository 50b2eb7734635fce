import { MessageType } from "@parley/protocol/codes";
import { type Kysely, sql } from "kysely";
import type { Tables } from "../tables.ts";

/** The type of a primary key that is the address of the row; SQLite wants it to be called so. */
export type IdType = "integer" | "bigint";

/**
 * Creates the tables of 0.1.0, with the statements that both databases take. They do not change any more: a later version adds a migration.
 * Messages have no foreign keys, which would cost two look-ups per row for people that sending has just checked.
 */
export async function createFirstTables(
  db: Kysely<Tables>,
  id: IdType,
  createSearch: readonly string[],
): Promise<void> {
  // SQLite compares texts byte by byte, and calls it so. An index finds the beginning of a text only if it compares in this way.
  const collation = id === "bigint" ? [`create collation if not exists "BINARY" from "C"`] : [];
  const statements = [
    ...collation,
    ...accounts(id),
    ...groups(id),
    ...messages(id),
    ...callsAndDevices(),
    ...administration(id),
    ...(id === "bigint" ? POSTGRES_AUDIT_GUARD : SQLITE_AUDIT_GUARD),
    ...createSearch,
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}

/** Accounts, and what each person has. */
function accounts(id: IdType): readonly string[] {
  return [
    `create table "meta" (
      "key" text primary key, "value" text not null
    )`,
    `create table "user" (
      "id" ${id} primary key, "userName" text not null, "nickName" text not null,
      "userNameKey" text not null unique, "nickNameKey" text not null, "passwordHash" text not null, "sex" integer,
      "signature" text, "birthday" text, "mobile" text, "email" text, "headImage" text, "headImageThumb" text,
      "isManualApprove" integer not null, "banReason" text, "unregisteredAt" bigint,
      "registeredAt" bigint not null, "registerDevice" text, "findableBy" integer not null,
      "isAdmin" integer not null
    )`,
    `create index "userNameKeyStart" on "user" ("userNameKey" collate "BINARY")`,
    `create index "nickNameKeyStart" on "user" ("nickNameKey" collate "BINARY")`,
    `create index "userBanned" on "user" ("id") where "banReason" is not null`,
    `create index "userUnregistered" on "user" ("id") where "unregisteredAt" is not null`,
    `create index "userAdmin" on "user" ("id") where "isAdmin" = 1`,
    `create table "session" (
      "id" text primary key, "userId" bigint not null references "user" ("id"), "terminal" integer not null,
      "deviceNo" text, "device" text, "os" text, "browser" text, "refreshSerial" bigint not null,
      "refreshedAt" bigint not null, "createdAt" bigint not null, "lastSeenAt" bigint not null,
      "expiresAt" bigint not null, "endedAt" bigint, "endReason" text, "address" text
    )`,
    `create index "sessionByUser" on "session" ("userId", "expiresAt")`,
    `create table "friend" (
      "ownerId" bigint not null references "user" ("id"), "friendId" bigint not null references "user" ("id"),
      "remarkNickName" text, "isTop" integer not null, "msgRemind" integer not null, "isDeleted" integer not null,
      primary key ("ownerId", "friendId")
    )`,
    `create index "friendByFriend" on "friend" ("friendId", "isDeleted", "ownerId")`,
    `create table "friendRequest" (
      "id" ${id} primary key, "sendId" bigint not null references "user" ("id"),
      "recvId" bigint not null references "user" ("id"), "remark" text not null, "status" integer not null,
      "applyTime" bigint not null, "source" integer
    )`,
    `create index "friendRequestBySender" on "friendRequest" ("sendId", "status")`,
    `create index "friendRequestByReceiver" on "friendRequest" ("recvId", "status")`,
    `create table "foundPerson" (
      "finderId" bigint not null, "personId" bigint not null, "foundAt" bigint not null,
      primary key ("finderId", "personId")
    )`,
    `create table "block" (
      "ownerId" bigint not null references "user" ("id"), "otherId" bigint not null references "user" ("id"),
      "createdAt" bigint not null, primary key ("ownerId", "otherId")
    )`,
    `create index "blockByOther" on "block" ("otherId", "ownerId")`,
    `create table "inviteCode" (
      "code" text primary key, "usesLeft" bigint not null, "expiresAt" bigint
    )`,
    `create table "userState" (
      "userId" ${id} primary key, "lastChange" bigint not null, "systemRead" bigint not null,
      "systemReadChanged" bigint not null, "clearedPrivate" bigint not null default 0,
      "clearedGroup" bigint not null default 0, "clearedSystem" bigint not null default 0,
      "clearedChanged" bigint not null default 0
    )`,
  ];
}

/** Groups, their members, requests and read positions. */
function groups(id: IdType): readonly string[] {
  return [
    `create table "chatGroup" (
      "id" ${id} primary key, "name" text not null, "nameKey" text not null,
      "ownerId" bigint not null references "user" ("id"), "headImage" text, "headImageThumb" text, "notice" text,
      "isAllMuted" integer not null, "inviteRole" integer not null, "editRole" integer not null,
      "attrRole" integer not null, "joinMode" integer not null, "attributes" text not null, "banReason" text,
      "isLarge" integer not null, "dissolvedAt" bigint, "createdAt" bigint not null,
      "memberChanges" integer not null default 0,
      "isFindable" integer not null
    )`,
    `create index "groupNameStart" on "chatGroup" ("nameKey" collate "BINARY")`,
    `create table "groupMaking" (
      "makerId" bigint not null references "user" ("id"), "tmpId" text not null,
      "groupId" bigint not null references "chatGroup" ("id"), primary key ("makerId", "tmpId")
    )`,
    `create table "groupMember" (
      "groupId" bigint not null references "chatGroup" ("id"), "userId" bigint not null references "user" ("id"),
      "role" integer not null, "isMuted" integer not null, "remarkNickName" text, "remarkGroupName" text,
      "isTop" integer not null, "msgRemind" integer not null, "quit" integer not null, "joinedAt" bigint not null,
      "firstJoinedAt" bigint not null, "stayFrom" bigint not null, "wasRemoved" integer not null,
      primary key ("groupId", "userId")
    )`,
    `create index "groupMemberByUser" on "groupMember" ("userId", "groupId", "quit")`,
    // Counts the members of many groups from the index alone.
    `create index "groupMemberCount" on "groupMember" ("groupId", "quit")`,
    `create table "groupStay" (
      "groupId" bigint not null, "userId" bigint not null, "nth" integer not null, "fromId" bigint not null,
      "toId" bigint, primary key ("userId", "groupId", "nth")
    )`,
    `create table "groupRequest" (
      "id" ${id} primary key, "groupId" bigint not null references "chatGroup" ("id"),
      "sendId" bigint not null references "user" ("id"), "inviterId" bigint references "user" ("id"),
      "remark" text not null, "status" integer not null, "applyTime" bigint not null
    )`,
    `create index "groupRequestByGroup" on "groupRequest" ("groupId", "status")`,
    `create index "groupRequestBySender" on "groupRequest" ("sendId", "status")`,
    `create index "groupRequestByInviter" on "groupRequest" ("inviterId", "status")`,
    `create table "groupRead" (
      "groupId" bigint not null, "userId" bigint not null, "readId" bigint not null, "changed" bigint not null,
      primary key ("groupId", "userId")
    )`,
    `create index "groupReadChanged" on "groupRead" ("userId", "changed")`,
    `create table "groupReceipt" (
      "ownerId" bigint not null, "groupId" bigint not null, "changed" bigint not null,
      primary key ("ownerId", "groupId")
    )`,
    `create table "groupPurge" (
      "groupId" bigint not null, "userId" bigint not null, "upTo" bigint not null,
      primary key ("groupId", "userId")
    )`,
    `create table "groupPurgeNews" (
      "ownerId" bigint not null, "groupId" bigint not null, "userId" bigint not null, "changed" bigint not null,
      primary key ("ownerId", "groupId", "userId")
    )`,
    `create table "groupFirstText" (
      "messageId" ${id} primary key, "content" text not null
    )`,
  ];
}

/** Chats, messages, and the files that they name. */
function messages(id: IdType): readonly string[] {
  return [
    `create table "privateChat" (
      "id" ${id} primary key, "ownerId" bigint not null, "peerId" bigint not null, "chatId" bigint not null,
      "readId" bigint not null, "changed" bigint not null
    )`,
    // A pull finds the chats of a person in this index and reads `chatId` from the rows.
    `create unique index "privateChatOfOwner" on "privateChat" ("ownerId", "peerId")`,
    `create index "privateChatChanged" on "privateChat" ("ownerId", "changed")`,
    `create table "message" (
      "id" ${id} primary key, "chatId" bigint not null, "tmpId" text, "type" integer not null,
      "sendId" bigint not null, "recvId" bigint not null, "sendNickName" text not null, "sendRole" integer not null,
      "content" text not null, "sendTime" bigint not null, "receivedAt" bigint, "tip" text, "act" text,
      "onlyFor" bigint, "quoteId" bigint, "atUserIds" text, "receipt" integer not null, "editedAt" bigint,
      "noticeId" bigint
    )`,
    // Few indexes: each further one costs about 8 us per message. Pulls and pages check `onlyFor` and, because a moderator may have removed
    // the messages of a sender, `sendId` in the index.
    `create index "messageByChat" on "message" ("chatId", "id", "onlyFor", "sendId")`,
    // By tmpId first: clients make tmpIds that grow with time, so that the messages of one commit stand next to each other in the index.
    // A client may use the same one for a private message and for one in a group.
    `create unique index "messageByTmpId" on "message" ("tmpId", "sendId", ("chatId" > 0))`,
    // Partial indexes: only messages with a receipt, and cards, pay for them.
    `create index "messageWithReceipt" on "message" ("chatId", "id", "sendId") where "receipt" = 1`,
    `create index "cardByReceiver" on "message" ("recvId") where "type" = ${MessageType.BUSINESS_CARD}`,
    `create index "cardByChat" on "message" ("chatId", "id") where "type" = ${MessageType.BUSINESS_CARD}`,
    `create table "messageEdit" (
      "eventId" ${id} primary key, "targetId" bigint not null
    )`,
    `create index "messageEditOfTarget" on "messageEdit" ("targetId")`,
    `create table "hiddenMessage" (
      "ownerId" bigint not null, "messageId" bigint not null, "changed" bigint not null,
      primary key ("ownerId", "messageId")
    )`,
    `create index "hiddenMessageChanged" on "hiddenMessage" ("ownerId", "changed")`,
    `create index "hiddenMessageById" on "hiddenMessage" ("messageId")`,
    `create table "systemMessage" (
      "id" ${id} primary key, "userId" bigint not null references "user" ("id"), "seqNo" bigint not null,
      "type" integer not null, "title" text, "intro" text, "coverUrl" text, "content" text not null,
      "sendTime" bigint not null, "requestId" bigint, "changed" bigint not null, "noticeId" bigint,
      "groupRequestId" bigint, unique ("userId", "seqNo")
    )`,
    `create index "systemMessageChanged" on "systemMessage" ("userId", "changed")`,
    `create index "systemMessageRequest" on "systemMessage" ("requestId")`,
    `create index "systemMessageGroupRequest" on "systemMessage" ("groupRequestId")`,
    `create table "notice" (
      "id" ${id} primary key, "title" text not null, "intro" text not null, "richText" text, "externLink" text,
      "createdAt" bigint not null, "lastUserId" bigint not null, "reachedUserId" bigint not null,
      "receivedCount" bigint not null, "readCount" bigint not null
    )`,
    `create table "file" (
      "url" text primary key, "userId" bigint, "bytes" bigint not null, "createdAt" bigint not null,
      "use" integer not null, "sha256" text
    )`,
    `create index "fileByUser" on "file" ("userId", "createdAt")`,
    `create index "fileByUse" on "file" ("use", "createdAt")`,
    `create table "messageFile" (
      "chatType" text not null, "messageId" bigint not null, "sendId" bigint not null,
      "url" text not null references "file" ("url"), primary key ("chatType", "messageId", "url")
    )`,
    `create index "messageFileByUrl" on "messageFile" ("url")`,
    `create index "messageFileBySender" on "messageFile" ("sendId", "chatType", "messageId")`,
    `create table "deletedUpload" (
      "userId" bigint not null, "createdAt" bigint not null, "bytes" bigint not null
    )`,
    `create index "deletedUploadByUser" on "deletedUpload" ("userId", "createdAt")`,
  ];
}

/** Running calls, and the devices that are told by web push. */
function callsAndDevices(): readonly string[] {
  return [
    `create table "call" (
      "key" text primary key, "mode" text not null, "hostId" bigint not null, "groupId" bigint, "calleeId" bigint,
      "acceptedAt" bigint, "heldOffer" text, "heldCandidates" text not null, "offerCount" integer not null
    )`,
    `create table "callMember" (
      "userId" bigint primary key, "callKey" text not null, "clientId" text, "sessionId" text,
      "failedClients" text not null, "isCamera" integer not null, "isMicroPhone" integer not null,
      "lastBeat" bigint not null, "detachedAt" bigint, "deadline" bigint not null,
      "isShareScreen" integer not null
    )`,
    `create index "callMemberByCall" on "callMember" ("callKey")`,
    `create index "callMemberByDeadline" on "callMember" ("deadline")`,
    `create table "callFrame" (
      "userId" bigint not null, "position" bigint not null, "frame" text not null,
      primary key ("userId", "position")
    )`,
    `create table "webPushSubscription" (
      "sessionId" text primary key, "userId" bigint not null, "endpoint" text not null, "p256dh" text not null,
      "auth" text not null, "hasPreview" integer not null, "language" text not null, "createdAt" bigint not null
    )`,
    `create index "webPushSubscriptionByUser" on "webPushSubscription" ("userId", "createdAt")`,
    `create index "webPushSubscriptionByEndpoint" on "webPushSubscription" ("endpoint")`,
  ];
}

/** Reports of abuse, the audit log, settings and nodes. */
function administration(id: IdType): readonly string[] {
  return [
    `create table "report" (
      "id" ${id} primary key, "reporterId" bigint not null, "personId" bigint not null, "chatType" text,
      "messageId" bigint, "groupId" bigint, "messageType" integer, "content" text, "sendTime" bigint,
      "reason" text not null, "text" text not null, "createdAt" bigint not null, "closedAt" bigint,
      "closedById" bigint, "outcome" text, "note" text
    )`,
    `create index "reportByReporter" on "report" ("reporterId", "personId")`,
    `create index "reportOpen" on "report" ("id") where "closedAt" is null`,
    `create table "adminAudit" (
      "id" ${id} primary key, "at" bigint not null, "actorId" bigint, "action" text not null,
      "isLook" integer not null, "targetKind" text, "targetId" bigint, "targetName" text, "address" text,
      "outcome" text not null
    )`,
    `create index "adminAuditByLook" on "adminAudit" ("isLook", "id")`,
    `create index "adminAuditByActor" on "adminAudit" ("actorId", "id")`,
    `create index "adminAuditByAction" on "adminAudit" ("action", "id")`,
    `create table "serverSetting" (
      "name" text primary key, "json" text not null
    )`,
    `create table "node" (
      "id" text primary key, "roles" text not null, "version" integer not null, "startedAt" bigint not null,
      "seenAt" bigint not null, "sockets" integer not null, "people" integer not null
    )`,
  ];
}

const REFUSAL = "the audit log cannot be changed";

const SQLITE_AUDIT_GUARD: readonly string[] = ["update", "delete"].map(
  (change) =>
    `create trigger "adminAudit_${change}" before ${change} on "adminAudit" begin select raise(abort, '${REFUSAL}'); end`,
);

const POSTGRES_AUDIT_GUARD: readonly string[] = [
  `create or replace function "refuseAuditChange"() returns trigger language plpgsql as
    $$ begin raise exception '${REFUSAL}'; end $$`,
  `create trigger "adminAuditGuard" before update or delete or truncate on "adminAudit"
    for each statement execute function "refuseAuditChange"()`,
];
