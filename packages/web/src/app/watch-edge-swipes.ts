/** A swipe begins at most this far from the edge, in px: further inside a finger scrolls, marks or slides something. */
const EDGE_PX = 24;
/** The part of the window's width over which a finger has to move. */
const NEEDED_PART = 0.3;

/**
 * Calls `onSwipe` when a finger has moved from the left edge of this element to the right. The element follows the finger, and returns if the
 * finger lets go too early or moves up or down. Returns a function that ends it.
 */
export function watchEdgeSwipes(element: HTMLElement, onSwipe: () => void): () => void {
  let start: Touch | null = null;
  const moveTo = (px: number) => {
    element.style.translate = px > 0 ? `${px}px` : "";
  };
  const end = () => {
    start = null;
    moveTo(0);
  };
  const handleStart = ({ touches }: TouchEvent) => {
    const [touch] = touches;
    end();
    if (touches.length === 1 && touch !== undefined && touch.clientX <= EDGE_PX) start = touch;
  };
  const handleMove = ({ touches: [touch] }: TouchEvent) => {
    if (start === null || touch === undefined) return;
    const x = touch.clientX - start.clientX;
    if (Math.abs(touch.clientY - start.clientY) > Math.max(EDGE_PX, x)) end();
    else moveTo(x);
  };
  const handleEnd = ({ changedTouches: [touch] }: TouchEvent) => {
    const distance = start === null || touch === undefined ? 0 : touch.clientX - start.clientX;
    end();
    if (distance >= window.innerWidth * NEEDED_PART) onSwipe();
  };
  const watch = new AbortController();
  const options = { passive: true, signal: watch.signal };
  element.addEventListener("touchstart", handleStart, options);
  element.addEventListener("touchmove", handleMove, options);
  element.addEventListener("touchend", handleEnd, options);
  element.addEventListener("touchcancel", end, options);
  return () => {
    end();
    watch.abort();
  };
}
