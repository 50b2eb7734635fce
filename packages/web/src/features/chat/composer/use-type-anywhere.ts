import { useEffect } from "react";
import type { RefObject } from "react";

const TYPING_TARGETS =
  'input, textarea, select, [contenteditable="true"], [role="dialog"], [role="alertdialog"], [role="menu"]';
const ARROW_KEY_TARGETS = '[role="listbox"], [role="article"], [role="log"]';

/** Whether a pressed key should go to the composer: a paste, and characters, unless the focused element uses them. */
function isForComposer(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.altKey) return false;
  const target = event.target instanceof Element ? event.target : null;
  if (target?.closest(TYPING_TARGETS)) return false;
  if (event.ctrlKey || event.metaKey) return event.key.toLowerCase() === "v";
  if ([...event.key].length !== 1 && event.key !== "Process") return false;
  if (target?.closest(ARROW_KEY_TARGETS)) return false;
  return event.key !== " " || !target?.closest("button, a");
}

/** Moves the focus to the composer when somebody types or pastes anywhere on the page (interface §12). */
export function useTypeAnywhere(composer: RefObject<{ focus(): void } | null>): void {
  useEffect(() => {
    const handleKeyDown = (event: KeyboardEvent) => {
      // A modal dialog may be open while the focus is elsewhere, e.g. on the page's body.
      if (isForComposer(event) && document.querySelector('[role$="dialog"]') === null)
        composer.current?.focus();
    };
    document.addEventListener("keydown", handleKeyDown);
    return () => document.removeEventListener("keydown", handleKeyDown);
  }, [composer]);
}
