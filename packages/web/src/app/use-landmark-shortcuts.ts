import { useEffect } from "react";
import { isShortcut } from "../kit/shortcuts.ts";

const TABBABLE =
  'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), [tabindex="0"]';

/** F6 and Shift+F6 cycle through the parts of the page with `data-landmark`, in the order of the page. */
export function useLandmarkShortcuts(): void {
  useEffect(() => {
    const handleKeyDown = (event: KeyboardEvent) => {
      const step = isShortcut(event, "nextPart") ? 1 : isShortcut(event, "previousPart") ? -1 : null;
      if (step === null) return;
      const landmarks = [...document.querySelectorAll<HTMLElement>("[data-landmark]")].filter(
        (landmark) => landmark.offsetParent !== null,
      );
      if (landmarks.length === 0) return;
      event.preventDefault();
      // The innermost landmark with the focus, because the composer is inside the main area.
      const current = landmarks.findLastIndex((landmark) => landmark.contains(document.activeElement));
      const next =
        current < 0
          ? step < 0
            ? landmarks.length - 1
            : 0
          : (current + step + landmarks.length) % landmarks.length;
      focusIn(landmarks[next]);
    };
    document.addEventListener("keydown", handleKeyDown);
    return () => document.removeEventListener("keydown", handleKeyDown);
  }, []);
}

/** Focuses the landmark itself if it is focusable, else its text field, else its first control. */
function focusIn(landmark: HTMLElement | undefined): void {
  if (landmark === undefined) return;
  const inside = [...landmark.querySelectorAll<HTMLElement>(TABBABLE)].filter(
    (element) => element.offsetParent !== null && element.closest("[data-landmark]") === landmark,
  );
  const field = inside.find((element) => element.matches("textarea"));
  const target = landmark.tabIndex >= 0 ? landmark : (field ?? inside[0] ?? landmark);
  target.focus();
}
