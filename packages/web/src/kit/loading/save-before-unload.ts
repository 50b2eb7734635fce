const savers = new Set<() => void>();

/**
 * Runs `save` when the page is unloaded, before the client is closed. A `pagehide` listener would come too late: listeners run in the order
 * in which they were added, and the one that closes the client was added first. Returns a function that unregisters `save`.
 */
export function saveBeforeUnload(save: () => void): () => void {
  savers.add(save);
  return () => savers.delete(save);
}

/** Runs all registered functions. Call it before the client is closed. */
export function saveAll(): void {
  for (const save of savers) save();
}
