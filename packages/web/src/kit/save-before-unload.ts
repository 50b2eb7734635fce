const savers = new Set<() => void>();

/**
 * Runs `save` when the page goes away, while the client still takes what is given to it. Listeners of `pagehide` are called in the order
 * in which they were added, whatever they ask for: the one that closes the client would come first. Answers a function that ends it.
 */
export function saveBeforeUnload(save: () => void): () => void {
  savers.add(save);
  return () => savers.delete(save);
}

/** For whoever closes the client. */
export function saveAll(): void {
  for (const save of savers) save();
}
