import type * as z from "zod/mini";
import type { DurableQueueOptions } from "./durable-queue.ts";
import type { LocalDatabase } from "./local-database.ts";
import type { StoredValues, UnsentPrefix } from "./stored-values.ts";

/** How the entries of a durable queue are stored. */
export interface StoredEntriesOptions<Entry> extends Pick<DurableQueueOptions<Entry>, "idOf"> {
  database: Pick<LocalDatabase, "valuesWith" | "save">;
  prefix: UnsentPrefix;
  valueOf(entry: Entry): StoredValues[`${UnsentPrefix}${string}`];
  /** Reads a value into an entry. */
  schema: z.ZodMiniType<Entry>;
}

/** Stores each entry of a durable queue as a value of its own, because several tabs add and remove them. */
export function createStoredEntries<Entry>({
  database,
  prefix,
  idOf,
  valueOf,
  schema,
}: StoredEntriesOptions<Entry>): Pick<DurableQueueOptions<Entry>, "load" | "save"> {
  return {
    load: async () =>
      (await database.valuesWith(prefix)).flatMap((value) => schema.safeParse(value).data ?? []),
    save(changed, removedIds) {
      const values = [
        ...changed.map((entry) => [`${prefix}${idOf(entry)}`, valueOf(entry)]),
        ...removedIds.map((id) => [`${prefix}${id}`, undefined]),
      ];
      database.save({ values: Object.fromEntries(values) });
    },
  };
}
