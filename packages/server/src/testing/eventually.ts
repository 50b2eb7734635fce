import { vi } from "vitest";

/** Waits until the check no longer throws. The time limit only bounds how long a failure takes: a busy machine may need many seconds. */
export function eventually<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout: 60_000, interval: 20 });
}
