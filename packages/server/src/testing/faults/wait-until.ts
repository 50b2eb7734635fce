/** Waits for a state, and says what it waited for in vain. */

const WITHIN_MS = 60_000;
const POLL_MS = 5;

/** `look` answers what is still missing; undefined: nothing. */
export async function waitUntil(
  what: string,
  check: () => string | undefined | Promise<string | undefined>,
  withinMs = WITHIN_MS,
): Promise<void> {
  const end = performance.now() + withinMs;
  for (;;) {
    const missing = await check();
    if (missing === undefined) return;
    if (performance.now() > end) throw new Error(`waited in vain until ${what}: ${missing}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
