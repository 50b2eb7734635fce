import { randomBytes } from "node:crypto";
import type { Kysely } from "kysely";
import type { Tx } from "../../ports/store.ts";
import { findMeta, setMeta } from "./meta.ts";
import type { Tables } from "./tables.ts";

const KEY = "epoch";
const TEST_KEY = "probe";

const newEpoch = () => randomBytes(12).toString("base64url");

/** Returns the epoch of this database; creates it in a new database. */
export async function findEpoch(db: Kysely<Tables>): Promise<string> {
  const stored = await findMeta(db, KEY);
  if (stored !== undefined) return stored;
  const value = newEpoch();
  await setMeta(db, KEY, value);
  return value;
}

/** Writes a meaningless value to test whether the disk has free space. */
export async function writeTestValue(db: Kysely<Tables>): Promise<void> {
  await setMeta(db, TEST_KEY, newEpoch());
}

/** The write that replaces the epoch. */
export function epochWrites(db: Kysely<Tables>): Pick<Tx, "renewEpoch"> {
  return {
    async renewEpoch() {
      await setMeta(db, KEY, newEpoch());
    },
  };
}
