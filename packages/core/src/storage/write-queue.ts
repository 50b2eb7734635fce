import type { ChatMessage } from "../model/state.ts";
import type { Clock, Database } from "../ports.ts";
import { type PendingWrite, createPendingWrite } from "./pending-write.ts";

/** Writes that are collected for a moment and then written together, in the order in which they were added. */
export interface WriteQueue extends Pick<PendingWrite, "add" | "dropMessages"> {
  /** Writes everything that waits. Resolves when it and all earlier writes have ended. */
  flush(): Promise<void>;
  /** Lets everything wait until the returned function is called. Until then, `flush` resolves without writing it. */
  pause(): () => void;
  /** Forgets everything that waits. */
  drop(): void;
}

/** What the queue needs. */
export interface WriteQueueDeps {
  clock: Clock;
  /** The open database; null: nothing is written. */
  database(): Database | null;
  /** Yields the search terms that a message is indexed by. */
  searchTermsOf(message: ChatMessage): readonly string[];
  /** A write to this database has failed. */
  onFailure(database: Database, error: unknown): void;
}

const WRITE_DELAY_MS = 100;

/** Creates an empty queue. */
export function createWriteQueue({ clock, database, searchTermsOf, onFailure }: WriteQueueDeps): WriteQueue {
  let pending = createPendingWrite();
  let cancelTimer: (() => void) | null = null;
  let writing: Promise<void> = Promise.resolve();
  /** How many queued writes read before they write, or wait for such a write. */
  let readers = 0;
  let isPaused = false;

  function flush(): Promise<void> {
    cancelTimer?.();
    cancelTimer = null;
    if (pending.isEmpty || isPaused) return writing;
    const writes = pending;
    pending = createPendingWrite();
    const target = database();
    if (target === null) return writing;
    const write = async () => {
      try {
        if (writes.readsFirst) await writes.prepare(target);
        await target.write(writes.take(searchTermsOf));
      } catch (error) {
        onFailure(target, error);
      }
    };
    // The database itself keeps writes in order. Start a write at once, because a page that is being closed gets no second turn. Only a
    // write that reads first must not be overtaken.
    if (writes.readsFirst || readers > 0) {
      readers++;
      writing = writing.then(write).finally(() => readers--);
    } else {
      writing = Promise.all([writing, write()]).then(() => undefined);
    }
    return writing;
  }

  return {
    add(...added) {
      pending.add(...added);
      cancelTimer ??= clock.after(WRITE_DELAY_MS, () => {
        cancelTimer = null;
        void flush();
      });
    },
    dropMessages: () => pending.dropMessages(),
    flush,
    pause() {
      isPaused = true;
      return () => {
        isPaused = false;
        void flush();
      };
    },
    drop() {
      pending = createPendingWrite();
    },
  };
}
