import { useSyncExternalStore } from "react";

const MOBILE = "(width < 768px)";

function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (listener) => {
      const media = matchMedia(query);
      media.addEventListener("change", listener);
      return () => media.removeEventListener("change", listener);
    },
    () => matchMedia(query).matches,
  );
}

/** Below 768 px: one pane at a time (spec §2). */
export function useIsMobile(): boolean {
  return useMedia(MOBILE);
}

/** A finger is the main pointer: Enter writes a new line. */
export function useHasCoarsePointer(): boolean {
  return useMedia("(pointer: coarse)");
}

/** From 1024 px on the whole shell stands side by side (interface §1). */
export function useIsDesktop(): boolean {
  return useMedia("(width >= 1024px)");
}

/** From 1280 px on there is room for a panel beside the conversation (interface §1). */
export function useIsWide(): boolean {
  return useMedia("(width >= 1280px)");
}
