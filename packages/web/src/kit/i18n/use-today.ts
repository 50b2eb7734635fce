import { useSyncExternalStore } from "react";

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setTimeout> | undefined;

function today(): string {
  return new Date().toDateString();
}

/** Starts the timer for the reader's next midnight. */
function startMidnightTimer(): void {
  const now = new Date();
  const midnight = new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1);
  clearTimeout(timer);
  timer = setTimeout(handlePossibleDayChange, midnight.getTime() - now.getTime());
}

function handlePossibleDayChange(): void {
  startMidnightTimer();
  for (const listener of listeners) listener();
}

/** Calls the listener when a new day may have begun. Returns a function that stops it. */
export function watchToday(listener: () => void): () => void {
  if (listeners.size === 0) {
    startMidnightTimer();
    // While a page is suspended, its timer is suspended too.
    document.addEventListener("visibilitychange", handlePossibleDayChange);
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearTimeout(timer);
    document.removeEventListener("visibilitychange", handlePossibleDayChange);
  };
}

/** The reader's current day. Components that show times relative to today render again at midnight: "14:05" becomes "Yesterday". */
export function useToday(): string {
  return useSyncExternalStore(watchToday, today);
}
