import type { Kysely } from "kysely";
import type { JobLeaseReads, JobLeaseRow, JobLeaseWrites } from "../../ports/job-lease-store.ts";
import { deleteMeta, findMeta, setMeta } from "./meta.ts";
import type { Tables } from "./tables.ts";

const KEY = "jobLease";

/** Reads the lease of the jobs. */
export function jobLeaseReads(db: Kysely<Tables>): JobLeaseReads {
  return {
    async findJobLease() {
      const value = await findMeta(db, KEY);
      return value === undefined ? undefined : (JSON.parse(value) as JobLeaseRow);
    },
  };
}

/** Writes the lease of the jobs. */
export function jobLeaseWrites(db: Kysely<Tables>): JobLeaseWrites {
  return {
    async setJobLease(lease) {
      if (lease === null) await deleteMeta(db, KEY);
      else await setMeta(db, KEY, JSON.stringify(lease));
    },
  };
}
