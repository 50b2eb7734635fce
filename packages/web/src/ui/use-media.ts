import { useSyncExternalStore } from "react";

const MOBILE_QUERY = "(width < 48em)";

function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (listener) => {
      const media = matchMedia(query);
      media.addEventListener("change", listener);
      return () => media.removeEventListener("change", listener);
    },
    () => matchMedia(query).matches,
    // Markup that is made without a window is that of a wide one.
    () => false,
  );
}

/** Whether the window is narrower than 768 px: then one pane shows at a time (spec §2). */
export function useIsMobile(): boolean {
  return useMedia(MOBILE_QUERY);
}

/** Whether a finger is the main pointer: then Enter inserts a new line. */
export function useHasCoarsePointer(): boolean {
  return useMedia("(pointer: coarse)");
}

/** Whether the window is at least 1024 px wide, so that a panel fits beside the conversation (spec §2, interface §1). */
export function useIsWide(): boolean {
  return useMedia("(width >= 64em)");
}
