import type { Kysely } from "kysely";
import type { Tables } from "../tables.ts";

/**
 * Orders the indexes of tmpIds by tmpId first. Clients make tmpIds that grow with time, so that the messages of one commit stand next to
 * each other in the index, while ordered by sender each of them changed another page of the file.
 */
export async function orderTmpIds({ schema }: Kysely<Tables>): Promise<void> {
  for (const table of ["privateMessage", "groupMessage"] as const) {
    // Servers of the version before insert while this runs on PostgreSQL, so there is an index at all times.
    await schema.createIndex(`${table}ByTmpId`).unique().on(table).columns(["tmpId", "sendId"]).execute();
    await schema.dropIndex(`${table}TmpId`).execute();
  }
}
