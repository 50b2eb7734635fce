import type { Kysely } from "kysely";
import type { JobLeaseReads, JobLeaseRow, JobLeaseWrites } from "../../ports/job-lease-store.ts";
import type { Tables } from "./tables.ts";

const KEY = "jobLease";

/** Reads the lease of the jobs. */
export function jobLeaseReads(db: Kysely<Tables>): JobLeaseReads {
  return {
    async findJobLease() {
      const row = await db.selectFrom("meta").select("value").where("key", "=", KEY).executeTakeFirst();
      return row && (JSON.parse(row.value) as JobLeaseRow);
    },
  };
}

/** Writes the lease of the jobs. */
export function jobLeaseWrites(db: Kysely<Tables>): JobLeaseWrites {
  return {
    async setJobLease(lease) {
      await db.deleteFrom("meta").where("key", "=", KEY).execute();
      if (lease === null) return;
      const value = JSON.stringify(lease);
      await db.insertInto("meta").values({ key: KEY, value }).execute();
    },
  };
}
