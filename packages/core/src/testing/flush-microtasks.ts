/** How many turns to wait. The core has no longer chains of promises. */
const TURNS = 80;

/** Runs everything that waits for settled promises. */
export async function flushMicrotasks(turns = TURNS): Promise<void> {
  for (let i = 0; i < turns; i++) await Promise.resolve();
}
