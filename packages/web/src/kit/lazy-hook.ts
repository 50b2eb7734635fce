import { useEffect, useSyncExternalStore } from "react";
import { ChunkError, loadChunk } from "./load-chunk.ts";

/**
 * Something that a screen can do without at first: a hook that answers it once it has come, and null until then. It is asked for when
 * somebody wants it, behind the paint; what did not come is asked for again by the next wish. `load` must name the file.
 */
export function lazyHook<Value>(load: () => Promise<Value>): (isWanted: boolean) => Value | null {
  // In a box: what comes may be a function.
  let loaded: { readonly value: Value } | null = null;
  let isAsked = false;
  const listeners = new Set<() => void>();

  const ask = async () => {
    if (isAsked) return;
    isAsked = true;
    try {
      loaded = { value: await loadChunk(load) };
      for (const listener of listeners) listener();
    } catch (error) {
      isAsked = false;
      if (!(error instanceof ChunkError)) reportError(error);
    }
  };
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  return function useLate(isWanted) {
    const known = useSyncExternalStore(subscribe, () => loaded);
    const isMissing = isWanted && known === null;
    useEffect(() => {
      if (!isMissing) return;
      // The callback of a frame runs before that frame is painted: the one of the next frame is behind it.
      let frame = requestAnimationFrame(() => {
        frame = requestAnimationFrame(() => void ask());
      });
      return () => cancelAnimationFrame(frame);
    }, [isMissing]);
    return known === null ? null : known.value;
  };
}
