import { randomBytes } from "node:crypto";
import type { Kysely } from "kysely";
import type { Tx } from "../../ports/store.ts";
import type { Tables } from "./tables.ts";

const KEY = "epoch";
const TEST_KEY = "probe";

const newEpoch = () => randomBytes(12).toString("base64url");

/** Returns the epoch of this database; creates it in a new database. */
export async function findEpoch(db: Kysely<Tables>): Promise<string> {
  const stored = await db.selectFrom("meta").select("value").where("key", "=", KEY).executeTakeFirst();
  if (stored !== undefined) return stored.value;
  const value = newEpoch();
  await db.insertInto("meta").values({ key: KEY, value }).execute();
  return value;
}

/** Writes a meaningless value to test whether the disk has free space. */
export async function writeTestValue(db: Kysely<Tables>): Promise<void> {
  const value = newEpoch();
  await db
    .insertInto("meta")
    .values({ key: TEST_KEY, value })
    .onConflict((conflict) => conflict.column("key").doUpdateSet({ value }))
    .execute();
}

/** The write that replaces the epoch. */
export function epochWrites(db: Kysely<Tables>): Pick<Tx, "renewEpoch"> {
  return {
    async renewEpoch() {
      await db.updateTable("meta").set({ value: newEpoch() }).where("key", "=", KEY).execute();
    },
  };
}
