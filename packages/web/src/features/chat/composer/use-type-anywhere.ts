import { useEffect } from "react";
import type { RefObject } from "react";
import type { ComposerHandle } from "../message/conversation-ui.ts";
import { isComposer, isForComposer } from "./is-for-composer.ts";

const ARROW_KEY_TARGETS = '[role="listbox"], [role="article"], [role="log"]';

/** Whether a pressed key should go to the composer: a paste, and characters, unless the focused element uses them. */
function isKeyForComposer(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.altKey || !isForComposer(event.target)) return false;
  // A browser may report a paste only while a field has the focus.
  if (event.ctrlKey || event.metaKey) return event.key.toLowerCase() === "v";
  if ([...event.key].length !== 1 && event.key !== "Process") return false;
  const target = event.target instanceof Element ? event.target : null;
  if (target?.closest(ARROW_KEY_TARGETS)) return false;
  return event.key !== " " || !target?.closest("button, a");
}

/** Moves the focus to the composer when somebody types or pastes anywhere on the page (interface §12). */
export function useTypeAnywhere(composer: RefObject<ComposerHandle | null>): void {
  useEffect(() => {
    const handleKeyDown = (event: KeyboardEvent) => {
      if (!isComposer(event.target) && isKeyForComposer(event)) composer.current?.focus();
    };
    // By the menu, by Shift+Insert, or by a key that has no "v" in the layout of the person. Files never come here.
    const handlePaste = (event: ClipboardEvent) => {
      if (event.defaultPrevented || isComposer(event.target) || !isForComposer(event.target)) return;
      const text = event.clipboardData?.getData("text/plain").replaceAll(/\r\n?/g, "\n") ?? "";
      // Nobody would see what a paste adds to the draft under a recorder.
      if (text === "" || composer.current === null || composer.current.isHidden) return;
      event.preventDefault();
      composer.current.focus();
      composer.current.insert(text);
    };
    document.addEventListener("keydown", handleKeyDown);
    document.addEventListener("paste", handlePaste);
    return () => {
      document.removeEventListener("keydown", handleKeyDown);
      document.removeEventListener("paste", handlePaste);
    };
  }, [composer]);
}
