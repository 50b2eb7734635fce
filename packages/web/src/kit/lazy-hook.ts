import { useEffect, useSyncExternalStore } from "react";
import { ChunkError, loadChunk } from "./load-chunk.ts";

/**
 * Makes a hook that returns a lazily loaded value, and null until it is loaded. Loading starts after the paint when the hook is first called
 * with `isWanted`; after a failure the next such call tries again. `load` must name the file.
 */
export function lazyHook<Value>(load: () => Promise<Value>): (isWanted: boolean) => Value | null {
  // Wrapped in an object, because the value may be a function.
  let loaded: { readonly value: Value } | null = null;
  let isRequested = false;
  const listeners = new Set<() => void>();

  const request = async () => {
    if (isRequested) return;
    isRequested = true;
    try {
      loaded = { value: await loadChunk(load) };
      for (const listener of listeners) listener();
    } catch (error) {
      isRequested = false;
      if (!(error instanceof ChunkError)) reportError(error);
    }
  };
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  return function useLazyValue(isWanted) {
    const current = useSyncExternalStore(subscribe, () => loaded);
    const isMissing = isWanted && current === null;
    useEffect(() => {
      if (!isMissing) return;
      // A frame's callback runs before that frame is painted, so the callback of the next frame runs after the paint.
      let frame = requestAnimationFrame(() => {
        frame = requestAnimationFrame(() => void request());
      });
      return () => cancelAnimationFrame(frame);
    }, [isMissing]);
    return current === null ? null : current.value;
  };
}
