import { useEffect } from "react";
import { create } from "zustand";
import { ChunkError } from "./load-chunk.ts";
import { loadPart } from "./load-part.ts";

/**
 * Makes a hook that returns a lazily loaded value, and null until it is loaded. Loading starts after the paint when the hook is first called
 * with `isWanted`; after a failure the next such call tries again. `load` must name the file.
 */
export function lazyHook<Value>(load: () => Promise<Value>): (isWanted: boolean) => Value | null {
  const useStore = create<{ readonly value: Value | null }>(() => ({ value: null }));
  let isRequested = false;

  const request = async () => {
    if (isRequested) return;
    isRequested = true;
    try {
      useStore.setState({ value: await loadPart(load) });
    } catch (error) {
      isRequested = false;
      if (!(error instanceof ChunkError)) reportError(error);
    }
  };
  return function useLazyValue(isWanted) {
    const value = useStore((state) => state.value);
    const isMissing = isWanted && value === null;
    useEffect(() => {
      if (!isMissing) return;
      // A frame's callback runs before that frame is painted, so the callback of the next frame runs after the paint.
      let frame = requestAnimationFrame(() => {
        frame = requestAnimationFrame(() => void request());
      });
      return () => cancelAnimationFrame(frame);
    }, [isMissing]);
    return value;
  };
}
