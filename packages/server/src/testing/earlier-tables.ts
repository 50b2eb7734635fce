/** SQL that takes back migration 0028, for tests of upgrades: the indexes of tmpIds began with the sender. */
export const TMP_IDS_BY_SENDER = ["privateMessage", "groupMessage"]
  .map(
    (table) => `drop index ${table}ByTmpId; create unique index ${table}TmpId on ${table} (sendId, tmpId);`,
  )
  .join(" ");
