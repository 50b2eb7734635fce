/** Lets everything that waits for settled promises go on. Longer chains than this do not occur in the core. */
const TURNS = 80;

export async function flushMicrotasks(turns = TURNS): Promise<void> {
  for (let i = 0; i < turns; i++) await Promise.resolve();
}
