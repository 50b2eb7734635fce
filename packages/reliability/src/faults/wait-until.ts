/** Waits for a state. The error of a time-out says what was missing. */

const WITHIN_MS = 60_000;
const POLL_MS = 5;

/** Waits until `check` returns undefined. It returns what is still missing. `what` is a sentence for the error. */
export async function waitUntil(
  what: string,
  check: () => string | undefined | Promise<string | undefined>,
  withinMs = WITHIN_MS,
): Promise<void> {
  const end = performance.now() + withinMs;
  for (;;) {
    const missing = await check();
    if (missing === undefined) return;
    if (performance.now() > end) throw new Error(`timed out before ${what}: ${missing}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
