import { useEffect } from "react";
import type { RefObject } from "react";

/** A smaller difference is the browser's own toolbar, not a keyboard. */
const KEYBOARD_PX = 120;

/**
 * Keeps the composer above an on-screen keyboard that covers the page instead of resizing it: the conversation is then as high as the
 * visible part.
 */
export function useKeyboardInset(conversation: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const view = window.visualViewport;
    if (view === null || !window.matchMedia("(pointer: coarse)").matches) return;
    const updateLayout = () => {
      const style = conversation.current?.style;
      if (style === undefined) return;
      const isCovered = view.scale === 1 && window.innerHeight - view.height > KEYBOARD_PX;
      style.position = isCovered ? "fixed" : "";
      style.insetInline = isCovered ? "0" : "";
      style.insetBlockStart = isCovered ? `${view.offsetTop}px` : "";
      style.blockSize = isCovered ? `${view.height}px` : "";
    };
    view.addEventListener("resize", updateLayout);
    view.addEventListener("scroll", updateLayout);
    return () => {
      view.removeEventListener("resize", updateLayout);
      view.removeEventListener("scroll", updateLayout);
    };
  }, [conversation]);
}
