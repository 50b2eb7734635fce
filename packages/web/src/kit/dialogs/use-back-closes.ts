import { useEffect, useEffectEvent } from "react";

/** Marks the history entry that the open overlay has added. */
const MARK = "overlay";

/** Set between the end of an overlay and the way back over its entry. */
let leaving: ReturnType<typeof setTimeout> | undefined;

/** Whether the browser is at the history entry of an overlay. */
export function isOnOverlayEntry(): boolean {
  const state: unknown = history.state;
  return typeof state === "object" && state !== null && MARK in state;
}

/**
 * While the component is mounted, the browser's Back button closes it instead of leaving the page, as people expect on phones. It adds an
 * entry to the history; closing in another way goes back over that entry, unless the page has moved on.
 */
export function useBackCloses(onClose: () => void): void {
  const close = useEffectEvent(onClose);
  useEffect(() => {
    if (leaving === undefined) {
      history.pushState({ ...(history.state as object | null), [MARK]: true }, "");
    } else {
      // Mounted again at once, as React does in development: the entry is still there.
      clearTimeout(leaving);
      leaving = undefined;
    }
    const handlePop = () => {
      if (!isOnOverlayEntry()) close();
    };
    window.addEventListener("popstate", handlePop);
    return () => {
      window.removeEventListener("popstate", handlePop);
      if (!isOnOverlayEntry()) return;
      leaving = setTimeout(() => {
        leaving = undefined;
        if (isOnOverlayEntry()) history.back();
      });
    };
  }, []);
}
