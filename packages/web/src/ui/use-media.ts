import { useSyncExternalStore } from "react";

const MOBILE = "(width < 768px)";
const SMALL = "(width < 1024px)";

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

/** Below 1024 px: side panels become sheets (spec §2). */
export function useIsSmallScreen(): boolean {
  return useMedia(SMALL);
}

/** A finger is the main pointer: Enter writes a new line. */
export function useHasCoarsePointer(): boolean {
  return useMedia("(pointer: coarse)");
}
