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
