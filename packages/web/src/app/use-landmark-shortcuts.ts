import { useEffect } from "react";
import { loadChunk } from "../kit/load-chunk.ts";
import { isShortcut } from "../kit/shortcuts.ts";

/** Most people never press these keys. */
export const loadFocusLandmark = () => import("./focus-landmark.ts");

/** F6 and Shift+F6 cycle through the parts of the page with `data-landmark`, in the order of the page. */
export function useLandmarkShortcuts(): void {
  useEffect(() => {
    const handleKeyDown = (event: KeyboardEvent) => {
      const step = isShortcut(event, "nextPart") ? 1 : isShortcut(event, "previousPart") ? -1 : null;
      if (step === null) return;
      event.preventDefault();
      void loadChunk(loadFocusLandmark).then(
        (part) => part.focusNextLandmark(step),
        // Without a network; the next press tries again.
        () => undefined,
      );
    };
    document.addEventListener("keydown", handleKeyDown);
    return () => document.removeEventListener("keydown", handleKeyDown);
  }, []);
}
