import { type RefObject, useEffect, useEffectEvent } from "react";
import { useLocation, useSearch } from "wouter";
import { goUp } from "../kit/dialogs/go-up.ts";
import { useIsMobile } from "../ui/use-media.ts";

/** A swipe begins at most this far from the edge, in px: further inside a finger scrolls, marks or slides something. */
const EDGE_PX = 24;
/** The part of the window's width over which a finger has to move. */
const NEEDED_PART = 0.3;

/**
 * On a small screen, a finger that moves from the left edge to the right leads one level up: from a chat to the list, from the panel to the
 * chat (interface §2).
 */
export function useSwipeBack(screen: RefObject<HTMLElement | null>): void {
  const isMobile = useIsMobile();
  const [path] = useLocation();
  const isPanelOpen = useSearch() !== "";
  const parent = parentPath(path);
  const isActive = isMobile && parent !== null;
  const goBack = useEffectEvent(() => {
    if (isPanelOpen) history.back();
    else if (parent !== null) goUp(parent);
  });
  useEffect(() => {
    const element = screen.current;
    if (!isActive || element === null) return;
    return watchEdgeSwipes(element, () => goBack());
  }, [isActive, screen]);
}

/** The path one level up from a page that covers its list on a small screen, or null for the lists themselves. */
export function parentPath(path: string): string | null {
  const [, home, area, ...rest] = path.split("/");
  if (home !== "home" || area === undefined || rest.length === 0) return null;
  return ["", home, area, ...rest.slice(0, -1)].join("/");
}

/**
 * Calls `onSwipe` when a finger has moved from the left edge of this element to the right. The element follows the finger, and returns if the
 * finger lets go too early or moves up or down. Returns a function that ends it.
 */
function watchEdgeSwipes(element: HTMLElement, onSwipe: () => void): () => void {
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
