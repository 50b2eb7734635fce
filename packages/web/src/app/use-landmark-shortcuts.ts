import { useEffect } from "react";
import { isShortcut } from "../kit/shortcuts.ts";

const TABBABLE =
  'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), [tabindex="0"]';

/** F6 and Shift+F6 go round the parts of the page marked `data-landmark`, in the order of the page. */
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
      // The innermost one that holds the focus, so that a composer inside the main area counts by itself.
      const current = landmarks.findLastIndex((mark) => mark.contains(document.activeElement));
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

/** A part that takes the focus itself gets it, the composer gives it to its field, others to their first control. */
function focusIn(mark: HTMLElement | undefined): void {
  if (mark === undefined) return;
  const inside = [...mark.querySelectorAll<HTMLElement>(TABBABLE)].filter(
    (element) => element.offsetParent !== null && element.closest("[data-landmark]") === mark,
  );
  const field = inside.find((element) => element.matches("textarea"));
  const target = mark.tabIndex >= 0 ? mark : (field ?? inside[0] ?? mark);
  target.focus();
}
