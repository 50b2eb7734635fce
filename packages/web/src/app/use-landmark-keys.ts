import { useEffect } from "react";
import { isPressed } from "../kit/keys.ts";

const TABBABLE =
  'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), [tabindex="0"]';

/** F6 and Shift+F6 go round the parts of the page marked `data-landmark`, in the order of the page. */
export function useLandmarkKeys(): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const step = isPressed(event, "nextPart") ? 1 : isPressed(event, "previousPart") ? -1 : null;
      if (step === null) return;
      const marks = [...document.querySelectorAll<HTMLElement>("[data-landmark]")].filter(
        (mark) => mark.offsetParent !== null,
      );
      if (marks.length === 0) return;
      event.preventDefault();
      // The innermost one that holds the focus, so that a composer inside the main area counts by itself.
      const current = marks.findLastIndex((mark) => mark.contains(document.activeElement));
      const next =
        current < 0 ? (step < 0 ? marks.length - 1 : 0) : (current + step + marks.length) % marks.length;
      focusIn(marks[next]);
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
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
