/**
 * SQL that takes back migrations 0027 to 0030, for tests of upgrades: sessions had no address, the indexes of tmpIds began with the sender, and all
 * groups could be found.
 */
export const EARLIER_TABLES = [
  "alter table session drop column address;",
  "alter table chatGroup drop column isInviteOnly; alter table chatGroup drop column isFindable;",
  "alter table groupMember drop column isRemoved; drop table foundPerson;",
  "drop index privateCardByReceiver; drop index groupCardByGroup;",
  "alter table privateMessage drop column receivedAt; alter table groupMessage drop column receivedAt;",
  ...["privateMessage", "groupMessage"].map(
    (table) => `drop index ${table}ByTmpId; create unique index ${table}TmpId on ${table} (sendId, tmpId);`,
  ),
].join(" ");
