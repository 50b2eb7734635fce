import type { DurableQueueOptions } from "./durable-queue.ts";
import type { LocalDatabase } from "./local-database.ts";
import type { StoredValues, ValuePrefix } from "./stored-values.ts";

/** How the entries of a durable queue are stored. */
export interface StoredEntriesOptions<Entry> extends Pick<DurableQueueOptions<Entry>, "idOf"> {
  database: Pick<LocalDatabase, "value" | "valuesWith" | "save">;
  prefix: ValuePrefix;
  valueOf(entry: Entry): StoredValues[`${ValuePrefix}${string}`];
  parse(value: unknown): Entry[];
  /** The one value in which earlier versions have stored all entries of a tab. */
  oldKey: keyof StoredValues;
  parseOld(value: unknown): Entry[];
}

/** Stores each entry of a durable queue as a value of its own, because several tabs add and remove them. */
export function createStoredEntries<Entry>({
  database,
  prefix,
  idOf,
  valueOf,
  parse,
  oldKey,
  parseOld,
}: StoredEntriesOptions<Entry>): Pick<DurableQueueOptions<Entry>, "load" | "save"> {
  function save(changed: readonly Entry[], removedIds: readonly string[]): void {
    const values = [
      ...changed.map((entry) => [`${prefix}${idOf(entry)}`, valueOf(entry)]),
      ...removedIds.map((id) => [`${prefix}${id}`, undefined]),
    ];
    database.save({ values: Object.fromEntries(values) });
  }
  return {
    async load() {
      const old = await database.value(oldKey);
      if (old !== undefined) {
        save(parseOld(old), []);
        database.save({ values: { [oldKey]: undefined } });
      }
      return (await database.valuesWith(prefix)).flatMap(parse);
    },
    save,
  };
}
