import { useEffect, useEffectEvent } from "react";
import type { RefObject } from "react";

/** Calls `onClose` at a press outside of the panel and its opener. */
export function useCloseOnOutsidePress(
  panel: RefObject<HTMLElement | null>,
  opener: RefObject<HTMLElement | null>,
  onClose: () => void,
): void {
  const handlePress = useEffectEvent(({ target }: PointerEvent) => {
    const isInside = [panel, opener].some(
      ({ current }) => target instanceof Node && current?.contains(target),
    );
    if (!isInside) onClose();
  });
  useEffect(() => {
    const handlePointerDown = (event: PointerEvent) => handlePress(event);
    document.addEventListener("pointerdown", handlePointerDown);
    return () => document.removeEventListener("pointerdown", handlePointerDown);
  }, []);
}
