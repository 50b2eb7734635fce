const TABBABLE =
  'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), [tabindex="0"]';

/** Moves the focus to the next (1) or previous (-1) part of the page with `data-landmark`, in the order of the page. */
export function focusNextLandmark(step: 1 | -1): void {
  const landmarks = [...document.querySelectorAll<HTMLElement>("[data-landmark]")].filter(
    (landmark) => landmark.offsetParent !== null,
  );
  // The innermost landmark with the focus, because the composer is inside the main area.
  const current = landmarks.findLastIndex((landmark) => landmark.contains(document.activeElement));
  const next =
    current < 0
      ? step < 0
        ? landmarks.length - 1
        : 0
      : (current + step + landmarks.length) % landmarks.length;
  focusIn(landmarks[next]);
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
