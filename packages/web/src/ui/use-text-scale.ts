import { useSyncExternalStore } from "react";

const UNSCALED_PX = 16;

/** The factor of the text size, from the setting of the product and that of the browser. Sizes in rem scale with it. */
export function useTextScale(): number {
  return useSyncExternalStore(subscribe, currentScale);
}

function subscribe(listener: () => void): () => void {
  const observer = new MutationObserver(listener);
  observer.observe(document.documentElement, { attributeFilter: ["style"] });
  return () => observer.disconnect();
}

function currentScale(): number {
  return parseFloat(getComputedStyle(document.documentElement).fontSize) / UNSCALED_PX;
}
