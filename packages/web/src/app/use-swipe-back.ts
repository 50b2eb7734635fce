import { useEffect, useEffectEvent } from "react";
import type { RefObject } from "react";
import { useLocation, useSearch } from "wouter";
import { useIsMobile } from "../ui/use-media.ts";
import { parentPath } from "./parent-path.ts";

/** A swipe begins at most this far from the edge, in px: further inside a finger scrolls, marks or slides something. */
const EDGE_PX = 24;
/** The part of the window's width over which a finger has to move. */
const NEEDED_PART = 0.3;

/**
 * On a small screen, a finger that moves from the left edge to the right leads one level up: from a chat to the list, from the panel to the
 * chat (interface §2). The screen follows the finger, and returns if the finger lets go too early or moves up or down.
 */
export function useSwipeBack(screen: RefObject<HTMLElement | null>): void {
  const isMobile = useIsMobile();
  const [path, navigate] = useLocation();
  const isPanelOpen = useSearch() !== "";
  const parent = parentPath(path);
  const isActive = isMobile && parent !== null;
  const goBack = useEffectEvent(() => {
    if (isPanelOpen) history.back();
    else if (parent !== null) navigate(parent);
  });
  useEffect(() => {
    const element = screen.current;
    if (!isActive || element === null) return;
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
      if (distance >= window.innerWidth * NEEDED_PART) goBack();
    };
    const listeners = {
      touchstart: handleStart,
      touchmove: handleMove,
      touchend: handleEnd,
      touchcancel: end,
    };
    for (const [name, listener] of Object.entries(listeners)) {
      element.addEventListener(name, listener as EventListener, { passive: true });
    }
    return () => {
      end();
      for (const [name, listener] of Object.entries(listeners)) {
        element.removeEventListener(name, listener as EventListener);
      }
    };
  }, [isActive, screen]);
}
