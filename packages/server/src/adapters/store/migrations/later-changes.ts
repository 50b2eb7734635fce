import type { IdType } from "./first-tables.ts";

/** What each version since the first release adds to the tables: the name of a migration and its statements, in order. */
export function laterChanges(id: IdType): Readonly<Record<string, readonly string[]>> {
  return {
    // What people did to messages after they were sent, such as reactions.
    "0002-message-extras": [
      `create table "messageExtra" (
        "messageId" ${id} primary key, "chatId" bigint not null, "v" bigint not null, "state" text not null
      )`,
      `create unique index "messageExtraByVersion" on "messageExtra" ("v")`,
      `create index "messageExtraByChat" on "messageExtra" ("chatId", "v")`,
      `create table "messageTally" (
        "messageId" bigint not null, "userId" bigint not null, "kind" text not null, "key" text not null,
        "v" bigint not null, "at" bigint not null, primary key ("messageId", "userId", "kind", "key")
      )`,
      `create index "messageTallyByKey" on "messageTally" ("messageId", "kind", "key", "v")`,
    ],
    // The pinned messages of each chat.
    "0003-message-pins": [
      `create table "messagePin" ("messageId" ${id} primary key, "chatId" bigint not null, "v" bigint not null)`,
      `create index "messagePinByChat" on "messagePin" ("chatId", "v")`,
    ],
    // What people have set for chats.
    "0004-chat-prefs": [
      `create table "chatPref" (
        "userId" bigint not null, "type" text not null, "targetId" bigint not null, "changed" bigint not null,
        "prefs" text not null, primary key ("userId", "type", "targetId")
      )`,
      `create index "chatPrefByChange" on "chatPref" ("userId", "changed")`,
    ],
    // The messages that people have saved for themselves.
    "0005-saved-messages": [
      `create table "savedMessage" (
        "userId" bigint not null, "messageId" bigint not null, "chatId" bigint not null, "changed" bigint not null,
        "at" bigint, "note" text not null, "tags" text not null, primary key ("userId", "messageId")
      )`,
      `create index "savedMessageByChange" on "savedMessage" ("userId", "changed")`,
      `create index "savedMessageByChat" on "savedMessage" ("chatId", "messageId")`,
    ],
    // When polls end.
    "0006-poll-ends": [
      `create table "pollEnd" ("messageId" ${id} primary key, "closesAt" bigint not null)`,
      `create index "pollEndByTime" on "pollEnd" ("closesAt")`,
    ],
    // When alert levels of chats end, and which follow.
    "0007-alert-level-ends": ["friend", "groupMember"].flatMap((table) => [
      `alter table "${table}" add column "msgRemindUntil" bigint`,
      `alter table "${table}" add column "msgRemindAfter" integer`,
      `create index "${table}ByRemindEnd" on "${table}" ("msgRemindUntil") where "msgRemindUntil" is not null`,
    ]),
    // Who tells others what they have read, what of it was told, and who tells friends when they were last seen.
    "0008-privacy": [
      `alter table "user" add column "readReceipts" integer not null default 1`,
      `alter table "user" add column "lastSeenShown" integer not null default 1`,
      `alter table "privateChat" add column "toldId" bigint`,
    ],
  };
}
