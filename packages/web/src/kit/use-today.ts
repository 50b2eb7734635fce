import { useSyncExternalStore } from "react";

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setTimeout> | undefined;

function today(): string {
  return new Date().toDateString();
}

/** Until the next midnight of the reader. */
function wait(): void {
  const now = new Date();
  const midnight = new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1);
  clearTimeout(timer);
  timer = setTimeout(look, midnight.getTime() - now.getTime());
}

function look(): void {
  wait();
  for (const listener of listeners) listener();
}

/** Tells when another day may have begun. */
export function watchToday(listener: () => void): () => void {
  if (listeners.size === 0) {
    wait();
    // The timer of a page that slept is late.
    document.addEventListener("visibilitychange", look);
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearTimeout(timer);
    document.removeEventListener("visibilitychange", look);
  };
}

/** The day it is for the reader. What tells a time by its day renders again with it: "14:05" becomes "Yesterday" at midnight. */
export function useToday(): string {
  return useSyncExternalStore(watchToday, today);
}
