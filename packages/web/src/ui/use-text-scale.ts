import { useSyncExternalStore } from "react";

const UNSCALED_PX = 16;

/** The factor of the text size, from the setting of the product and that of the browser. Sizes in rem scale with it. */
export function useTextScale(): number {
  return useSyncExternalStore(subscribe, textScale);
}

function subscribe(listener: () => void): () => void {
  // Its size changes with all three: the setting of the product, that of the browser, and the width of a narrow window (base.css).
  const ruler = document.createElement("div");
  ruler.style.cssText = "position: fixed; inline-size: 1rem; visibility: hidden";
  document.body.append(ruler);
  const observer = new ResizeObserver(listener);
  observer.observe(ruler);
  return () => {
    observer.disconnect();
    ruler.remove();
  };
}

/** The factor of the text size at this moment. */
export function textScale(): number {
  return parseFloat(getComputedStyle(document.documentElement).fontSize) / UNSCALED_PX;
}
