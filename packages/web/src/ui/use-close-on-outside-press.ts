import { useEffect, useEffectEvent } from "react";
import type { RefObject } from "react";

/**
 * Calls `onPress` at a press that begins and ends outside: at its beginning; for a sheet on a small screen at its end, because a sheet that is
 * gone before the press is over would let it reach what lies behind. Returns a function that ends it.
 */
export function watchOutsidePresses(isInside: (target: Element) => boolean, onPress: () => void): () => void {
  const isSheet = window.matchMedia("(width < 48em)").matches;
  const isPressInside = ({ target }: Event) => target instanceof Element && isInside(target);
  // A menu that opens under the pointer makes a press end elsewhere than it began.
  let hasBegunInside = false;
  const begin = (event: Event) => {
    hasBegunInside = isPressInside(event);
    if (!isSheet && !hasBegunInside) onPress();
  };
  const end = (event: Event) => {
    const isOutside = !hasBegunInside && !isPressInside(event);
    hasBegunInside = false;
    if (isSheet && isOutside) onPress();
  };
  // Captured, so that the click that has opened the panel is over.
  document.addEventListener("pointerdown", begin, { capture: true });
  document.addEventListener("click", end, { capture: true });
  return () => {
    document.removeEventListener("pointerdown", begin, { capture: true });
    document.removeEventListener("click", end, { capture: true });
  };
}

/** Calls `onClose` at a press outside of the panel and its opener. */
export function useCloseOnOutsidePress(
  panel: RefObject<HTMLElement | null>,
  opener: RefObject<HTMLElement | null>,
  onClose: () => void,
): void {
  const isInside = useEffectEvent((target: Element) =>
    [panel, opener].some(({ current }) => current?.contains(target) === true),
  );
  const close = useEffectEvent(onClose);
  useEffect(
    () =>
      watchOutsidePresses(
        (target) => isInside(target),
        () => close(),
      ),
    [],
  );
}
