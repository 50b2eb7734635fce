import type { StatisticsReads } from "../../ports/statistics-store.ts";
import type { Kysely } from "kysely";
import type { Tables } from "./tables.ts";

/** Messages counted in one turn of the event loop, so that counting does not block others. */
const COUNT_BATCH = 20_000;

/** Counts users, messages and files. */
export function statisticsReads(db: Kysely<Tables>): StatisticsReads {
  async function countMessages(): Promise<number> {
    const newest = await db
      .selectFrom("message")
      .select((eb) => eb.fn.max<number | null>("id").as("id"))
      .executeTakeFirst();
    let total = 0;
    for (let from = 1; from <= (newest?.id ?? 0); from += COUNT_BATCH) {
      const { rows } = await db
        .selectFrom("message")
        .select((eb) => eb.fn.countAll<number | string>().as("rows"))
        .where("id", ">=", from)
        .where("id", "<", from + COUNT_BATCH)
        .executeTakeFirstOrThrow();
      total += Number(rows);
      await new Promise((resolve) => setImmediate(resolve));
    }
    return total;
  }

  return {
    async countUsers() {
      const row = await db
        .selectFrom("user")
        .select((eb) => [
          eb.fn.countAll<number | string>().as("all"),
          eb.fn
            .countAll<number | string>()
            .filterWhere("banReason", "is not", null)
            .filterWhere("unregisteredAt", "is", null)
            .as("banned"),
          eb.fn.countAll<number | string>().filterWhere("unregisteredAt", "is not", null).as("unregistered"),
        ])
        .executeTakeFirstOrThrow();
      return {
        all: Number(row.all),
        banned: Number(row.banned),
        unregistered: Number(row.unregistered),
      };
    },
    countMessages,
    async countFiles() {
      const row = await db
        .selectFrom("file")
        .select((eb) => [
          eb.fn.countAll<number | string>().as("count"),
          eb.fn.sum<number | string | null>("bytes").as("bytes"),
        ])
        .executeTakeFirstOrThrow();
      return { count: Number(row.count), bytes: Number(row.bytes ?? 0) };
    },
  };
}
