import { useEffect, useEffectEvent } from "react";
import { useImeGuard } from "../../ui/ime.ts";

/**
 * Calls back when Esc is pressed anywhere, unless a dialog or menu is open, which closes first, or something nearer has used the key. By
 * default the window gets the key last; what lies over that listens on the document.
 */
export function useEscape(isActive: boolean, onEscape: () => void, target: Window | Document = window): void {
  const { isComposing, handlers } = useImeGuard();
  const { onCompositionEnd, onKeyUp } = handlers;
  const handleKeyDown = useEffectEvent((event: Event) => {
    if (!(event instanceof KeyboardEvent) || event.key !== "Escape") return;
    if (event.defaultPrevented || isComposing(event)) return;
    if (document.querySelector('[role$="dialog"], [role="menu"]') !== null) return;
    event.preventDefault();
    onEscape();
  });
  useEffect(() => {
    if (!isActive) return;
    const listener = (event: Event) => handleKeyDown(event);
    target.addEventListener("keydown", listener);
    target.addEventListener("compositionend", onCompositionEnd);
    target.addEventListener("keyup", onKeyUp);
    return () => {
      target.removeEventListener("keydown", listener);
      target.removeEventListener("compositionend", onCompositionEnd);
      target.removeEventListener("keyup", onKeyUp);
    };
  }, [isActive, target, onCompositionEnd, onKeyUp]);
}

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
