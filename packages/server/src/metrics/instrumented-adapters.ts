/** Adapters that count what they do. Without metrics nothing is wrapped. */
import type { Blobs } from "../ports/blobs.ts";
import type { Bus } from "../ports/bus.ts";
import type { BlobOperation, Metrics } from "../ports/metrics.ts";
import type { Store } from "../ports/store.ts";
import { StoreUnavailableError } from "../ports/store-unavailable-error.ts";
import type { WebPushSender } from "../ports/web-push.ts";

/**
 * The life cycle of a store, what is asked about it, and the appends of messages, which are too many for a promise more: the time of their
 * answers and that of commits tell as much. Everything else reads or is a transaction.
 */
const UNTIMED = new Set([
  "appendPrivate",
  "appendGroup",
  "close",
  "isReady",
  "stats",
  "waitingWrites",
  "bytes",
  "indexMessages",
]);

/** Times the reads and writes of a store. */
export function instrumentStore<S extends Store>(store: S, metrics: Metrics): S {
  const timed = (run: (...args: unknown[]) => unknown, operation: "read" | "write") => {
    return (...args: unknown[]): unknown => {
      const began = metrics.clock();
      const result = run(...args);
      if (!(result instanceof Promise)) return result;
      const end = () => metrics.storeUsed(operation, began);
      // The caller gets the failure.
      result.then(end, end);
      return result;
    };
  };
  // Calls of a copy are as fast as before. Those of an object that is made of entries cost some percent of each message.
  const measured = { ...store } as unknown as Record<string, unknown>;
  for (const [name, value] of Object.entries(store)) {
    if (typeof value !== "function" || UNTIMED.has(name)) continue;
    const run = value as (...args: unknown[]) => unknown;
    measured[name] = timed(run, name === "write" ? "write" : "read");
  }
  // The same functions with the same arguments and results.
  return measured as unknown as S;
}

/** Counts and times what a node publishes. */
export function instrumentBus(bus: Bus, metrics: Metrics): Bus {
  bus.subscribe((event) => {
    if (event.kind === "interrupted") metrics.busInterrupted();
  });
  return {
    publish(event) {
      const began = metrics.clock();
      bus.publish(event);
      metrics.busPublished(event.kind, began);
    },
    subscribe: (listener) => bus.subscribe(listener),
    close: () => bus.close(),
  };
}

/** Times the storage of files, and counts the bytes that are stored. */
export function instrumentBlobs(blobs: Blobs, metrics: Metrics): Blobs {
  const timed = async <T>(operation: BlobOperation, run: () => Promise<T>): Promise<T> => {
    const began = metrics.clock();
    let isAway = false;
    try {
      return await run();
    } catch (error) {
      isAway = error instanceof StoreUnavailableError;
      throw error;
    } finally {
      metrics.blobUsed(operation, began, isAway);
    }
  };
  return {
    async put(key, data, maxBytes) {
      const stored = await timed("put", () => blobs.put(key, data, maxBytes));
      metrics.blobStored(stored.size);
      return stored;
    },
    stat: (key) => timed("stat", () => blobs.stat(key)),
    read: (key, range) => timed("read", () => blobs.read(key, range)),
    delete: (key) => timed("delete", () => blobs.delete(key)),
    list: () => blobs.list(),
    probe: () => blobs.probe(),
    close: () => blobs.close(),
  };
}

/** Counts what becomes of web pushes. */
export function instrumentWebPush(sender: WebPushSender, metrics: Metrics): WebPushSender {
  return {
    publicKey: sender.publicKey,
    flawOf: (target) => sender.flawOf(target),
    async send(target, push) {
      const outcome = await sender.send(target, push);
      metrics.webPushEnded(outcome.kind);
      return outcome;
    },
    close: () => sender.close(),
  };
}
