import type * as z from "zod/mini";
import type { Failure } from "../model/state.ts";
import type { Notice } from "../notice.ts";
import type { SessionEvents } from "../session-events.ts";
import { createDurableQueue, type DurableQueueOptions } from "./durable-queue.ts";
import type { LocalDatabase } from "./local-database.ts";
import { createStoredEntries } from "./stored-entries.ts";
import type { StoredValues, UnsentPrefix } from "./stored-values.ts";

type QueueOptions<Entry> = Pick<DurableQueueOptions<Entry>, "ports" | "idOf" | "laneOf">;

/** How states of one kind are stored, sent and shown. */
export interface UnsentStatesOptions<Entry> extends QueueOptions<Entry> {
  database: LocalDatabase;
  prefix: UnsentPrefix;
  /** Reads a stored value into an entry. */
  schema: z.ZodMiniType<Entry>;
  /** Returns why it failed; null for success. */
  send(entry: Entry): Promise<Failure | null>;
  /** Shows what the server has not confirmed, in the order in which it was set. */
  show(entries: readonly Entry[]): void;
  /** Tells of a refusal. */
  notify(notice: Notice): void;
}

/** What a person has set and the server has not confirmed. */
export interface UnsentStates<Entry> extends Pick<SessionEvents, "restore" | "retry" | "reset"> {
  /** Sets a state; one with the same id that waits is replaced. */
  put(entry: Entry): void;
}

/**
 * States that a person sets, such as a reaction: shown at once, and sent until the server answers, also after a reload. Of one state only the
 * last value is sent. A refusal undoes it, because it is only laid over what the server says, and is a notice. In another database of the
 * server the ids belong to other things, so all are dropped.
 */
export function createUnsentStates<Entry extends StoredValues[`${UnsentPrefix}${string}`]>({
  ports,
  database,
  prefix,
  idOf,
  laneOf,
  schema,
  send,
  show,
  notify,
}: UnsentStatesOptions<Entry>): UnsentStates<Entry> {
  const stored = createStoredEntries<Entry>({ database, prefix, idOf, valueOf: (entry) => entry, schema });
  const queue = createDurableQueue<Entry>({
    ports,
    idOf,
    ...(laneOf !== undefined && { laneOf }),
    load: stored.load,
    save(changed, removedIds) {
      stored.save(changed, removedIds);
      showAll();
    },
    send,
    onRefused(_, failure) {
      notify({ kind: "failure", failure });
      return null;
    },
  });
  const showAll = () => show(queue.entries());

  return {
    put: (entry) => void queue.put(entry),
    async restore() {
      await queue.restore();
      showAll();
    },
    retry: queue.retry,
    reset(isOtherServer) {
      if (isOtherServer) queue.drop();
      else queue.saveAll();
      showAll();
    },
  };
}
