import { withinTime } from "./time-limit.ts";

/** How often it is looked whether somebody holds the lock. */
const LOOK_MS = 5_000;

/**
 * Calls `onStuck` once if a lock that this page waits for is held by nobody and still not granted, or if the browser cannot say who holds
 * it. Returns a function that stops looking; to be called when the lock is granted.
 */
export function whenNeverGranted(locks: LockManager, name: string, onStuck: () => void): () => void {
  let isOver = false;
  let timer = setTimeout(look, LOOK_MS);

  function look(): void {
    void isHeld(locks, name).then((held) => {
      if (isOver) return;
      if (held) timer = setTimeout(look, LOOK_MS);
      else onStuck();
    });
  }

  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}

function isHeld(locks: LockManager, name: string): Promise<boolean> {
  const asked = locks.query().then(
    ({ held = [] }) => held.some((lock) => lock.name === name),
    () => false,
  );
  return withinTime(asked, LOOK_MS, () => false);
}
