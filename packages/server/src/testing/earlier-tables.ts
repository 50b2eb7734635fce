/** SQL that takes back migrations 0027 and 0028, for tests of upgrades: sessions had no address, and the indexes of tmpIds began with the sender. */
export const EARLIER_TABLES = [
  "alter table session drop column address;",
  ...["privateMessage", "groupMessage"].map(
    (table) => `drop index ${table}ByTmpId; create unique index ${table}TmpId on ${table} (sendId, tmpId);`,
  ),
].join(" ");
