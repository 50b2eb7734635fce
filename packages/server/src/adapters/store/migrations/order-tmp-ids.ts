import type { Kysely } from "kysely";
import type { Tables } from "../tables.ts";

const MESSAGES = ["privateMessage", "groupMessage"] as const;

/**
 * Orders the indexes of tmpIds by tmpId first. Clients make tmpIds that grow with time, so that the messages of one commit stand next to
 * each other in the index, while ordered by sender each of them changed another page of the file.
 */
export async function orderTmpIds({ schema }: Kysely<Tables>): Promise<void> {
  for (const table of MESSAGES)
    await schema.createIndex(`${table}ByTmpId`).unique().on(table).columns(["tmpId", "sendId"]).execute();
  // Last, because on PostgreSQL nobody reads the table from here to the end, while other servers read it during the creation.
  for (const table of MESSAGES) await schema.dropIndex(`${table}TmpId`).execute();
}
