import { useSyncExternalStore } from "react";

const UNSCALED_PX = 16;

/** How much larger text is than at first: what is chosen here, and in the browser. Sizes in rem grow alike. */
export function useTextScale(): number {
  return useSyncExternalStore(watch, current);
}

function watch(listener: () => void): () => void {
  const changes = new MutationObserver(listener);
  changes.observe(document.documentElement, { attributeFilter: ["style"] });
  return () => changes.disconnect();
}

function current(): number {
  return parseFloat(getComputedStyle(document.documentElement).fontSize) / UNSCALED_PX;
}
