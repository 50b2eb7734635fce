import { useEffect, useEffectEvent } from "react";
import type { RefObject } from "react";

/**
 * The event by which a press beside a popover closes it: its beginning; for a sheet on a small screen its end, because a sheet that is gone
 * before the press is over would let it reach what lies behind.
 */
export function outsidePressEvent(): "click" | "pointerdown" {
  return window.matchMedia("(width < 768px)").matches ? "click" : "pointerdown";
}

/** Calls `onClose` at a press outside of the panel and its opener. */
export function useCloseOnOutsidePress(
  panel: RefObject<HTMLElement | null>,
  opener: RefObject<HTMLElement | null>,
  onClose: () => void,
): void {
  const handlePress = useEffectEvent(({ target }: Event) => {
    const isInside = [panel, opener].some(
      ({ current }) => target instanceof Node && current?.contains(target),
    );
    if (!isInside) onClose();
  });
  useEffect(() => {
    const listener = (event: Event) => handlePress(event);
    const name = outsidePressEvent();
    // Captured, so that the click that has opened the panel is over.
    document.addEventListener(name, listener, { capture: true });
    return () => document.removeEventListener(name, listener, { capture: true });
  }, []);
}
