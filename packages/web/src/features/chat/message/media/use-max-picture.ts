import { useSyncExternalStore } from "react";
import { useIsMobile } from "../../../../ui/use-media.ts";
import { maxPicturePx } from "./picture-box.ts";

/** The largest side of a picture in this window, in px. Renders again when it changes. */
export function useMaxPicturePx(): number {
  const isPhone = useIsMobile();
  return useSyncExternalStore(subscribe, () => maxPicturePx(window.innerWidth, isPhone));
}

function subscribe(listener: () => void): () => void {
  window.addEventListener("resize", listener);
  return () => window.removeEventListener("resize", listener);
}
