import { useEffect } from "react";
import type { RefObject } from "react";

/** Less than this is the browser's own bar, not a keyboard. */
const KEYBOARD_PX = 120;

/**
 * Keeps the composer above an on-screen keyboard that covers the page instead of making it smaller: the conversation then takes just the
 * part that is seen.
 */
export function useKeyboardInset(conversation: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const view = window.visualViewport;
    if (view === null || !window.matchMedia("(pointer: coarse)").matches) return;
    const fit = () => {
      const style = conversation.current?.style;
      if (style === undefined) return;
      const isCovered = view.scale === 1 && window.innerHeight - view.height > KEYBOARD_PX;
      style.position = isCovered ? "fixed" : "";
      style.insetInline = isCovered ? "0" : "";
      style.insetBlockStart = isCovered ? `${view.offsetTop}px` : "";
      style.blockSize = isCovered ? `${view.height}px` : "";
    };
    view.addEventListener("resize", fit);
    view.addEventListener("scroll", fit);
    return () => {
      view.removeEventListener("resize", fit);
      view.removeEventListener("scroll", fit);
    };
  }, [conversation]);
}
