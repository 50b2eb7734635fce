import { randomBytes } from "node:crypto";
import type { Kysely } from "kysely";
import type { Tx } from "../../ports/store.ts";
import { deleteMeta, findMeta, setMeta } from "./meta.ts";
import type { Tables } from "./tables.ts";

const KEY = "epoch";
/** The key in `meta` that says to which database everything was moved, together with the epoch. */
export const MOVED_KEY = "movedTo";
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

/** Throws if everything was moved to another database: clients could not tell what is written here from what is written there. */
export async function requireNotMoved(db: Kysely<Tables>): Promise<void> {
  const target = await findMeta(db, MOVED_KEY);
  if (target === undefined) return;
  throw new Error(
    `it was copied to ${target}, which goes on in its place; set DATABASE_URL, or run \`npm run admin -- restored\` to go back to this one`,
  );
}

/** The write that replaces the epoch. */
export function epochWrites(db: Kysely<Tables>): Pick<Tx, "renewEpoch"> {
  return {
    async renewEpoch() {
      await setMeta(db, KEY, newEpoch());
      await deleteMeta(db, MOVED_KEY);
    },
  };
}
