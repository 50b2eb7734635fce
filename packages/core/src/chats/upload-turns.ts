import type { Lifetime, Ports } from "../ports.ts";

/** Whose turn it is to upload: at most three at once, in the order in which they were asked for; without a network all wait. */
export interface UploadTurns {
  /** Resolves when it is the turn of an upload, or when it was aborted. */
  wait(lifetime: Lifetime): Promise<"turn" | "aborted">;
  /** An upload whose turn it was has ended. */
  end(): void;
}

/** How many uploads run at once. */
const RUNNING_MAX = 3;

/** Creates the turns; none is taken. */
export function createUploadTurns(environment: Ports["environment"]): UploadTurns {
  const waiting: { start(): void }[] = [];
  let runningCount = 0;

  function startWaiting(): void {
    while (runningCount < RUNNING_MAX && environment.hasNetwork()) {
      const next = waiting.shift();
      if (next === undefined) return;
      runningCount++;
      next.start();
    }
  }

  environment.onChange(startWaiting);

  return {
    wait: (lifetime) =>
      new Promise((resolve) => {
        const place = { start: () => resolve("turn") };
        waiting.push(place);
        lifetime.onEnd(() => {
          const index = waiting.indexOf(place);
          if (index >= 0) waiting.splice(index, 1);
          resolve("aborted");
        });
        startWaiting();
      }),
    end() {
      runningCount--;
      startWaiting();
    },
  };
}
