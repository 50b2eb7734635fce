import type { ChatKey, Result } from "../model/state.ts";
import { isRecord } from "./keep.ts";
import type { Disk } from "./persist.ts";
import type { Ports } from "./ports.ts";
import type { Store } from "./store.ts";

/** What of the disk is indexed by today's terms; raise it when messages are to be found by other words than before. */
export const INDEX_VERSION = 1;
export const INDEXED = "indexed";

/** What the disk notes of its last trim of a chat. A tab that was not told must not take what is left for all there is. */
export interface TrimMark {
  /** Everything below this id may be missing. */
  readonly below: number;
  readonly at: number;
}

/** Where the mark of a chat lies on the disk. */
export function trimMarkOf(key: ChatKey): string {
  return `trim ${key}`;
}

/** Whether this is a mark, as another tab told it or the disk holds it. */
export function isTrimMark(value: unknown): value is TrimMark {
  return isRecord(value) && typeof value["below"] === "number" && typeof value["at"] === "number";
}

/** What is done each time. */
export interface TidyWork {
  /** Stops at its next step once `isOver`. */
  tidy(isOver: () => boolean): Promise<Result<null>>;
}

/** Keeps the disk within its bounds (interface §20): rarely, and long after a start. Outbox and drafts are never touched. */
export interface Tidy {
  /** Nothing lies on this disk yet: all that comes will be found. */
  noteEmpty(): void;
  start(): void;
  stop(): void;
}

export interface TidyDeps {
  ports: Ports;
  store: Store;
  disk: Disk;
  work: TidyWork;
}

const FIRST_MS = 120_000;
const AGAIN_MS = 3_600_000;

export function createTidy({ ports, store, disk, work }: TidyDeps): Tidy {
  let cancel: (() => void) | null = null;

  function plan(ms: number): void {
    cancel = ports.clock.after(ms, () => {
      cancel = null;
      const isOver = watch();
      void work.tidy(isOver).then(() => !isOver() && plan(AGAIN_MS));
    });
  }

  function watch(): () => boolean {
    const { session } = store.get();
    return () => store.get().session !== session;
  }

  return {
    noteEmpty: () => disk.keep({ values: { [INDEXED]: INDEX_VERSION } }),
    start() {
      if (cancel === null) plan(FIRST_MS);
    },
    stop() {
      cancel?.();
      cancel = null;
    },
  };
}
