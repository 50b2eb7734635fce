/** Work that nobody waits for. */
import type { Logger } from "pino";

/** Collects work that nobody waits for, so that errors are logged and stopping can wait for it. */
export interface BackgroundTasks {
  add(work: Promise<void>): void;
  /** How much of it runs. */
  count(): number;
  /** Waits for everything that was added. */
  settle(): Promise<void>;
}

export function createBackgroundTasks(log: Logger): BackgroundTasks {
  const running = new Set<Promise<void>>();
  return {
    add(work) {
      const watched = work
        .catch((error: unknown) => log.error({ err: error }, "work in the background failed"))
        .finally(() => running.delete(watched));
      running.add(watched);
    },
    count: () => running.size,
    settle: async () => void (await Promise.all(running)),
  };
}
