import { useRef, useState } from "react";
import type { MouseEvent, PointerEvent } from "react";

/** Less is a click. */
const DRAG_PX = 4;

/** How far something was moved, in px. */
export interface Offset {
  readonly x: number;
  readonly y: number;
}

/**
 * Lets the pointer move an element. `offset` is how far it is moved now; `onDrop` gets it at the end. The click that ends a movement presses
 * nothing inside.
 */
export function useDrag<Target extends HTMLElement>(onDrop: (offset: Offset, element: Target) => void) {
  const start = useRef<Offset | null>(null);
  const wasMoved = useRef(false);
  const [offset, setOffset] = useState<Offset | null>(null);

  const end = (event: PointerEvent<Target>) => {
    start.current = null;
    if (offset === null) return;
    setOffset(null);
    onDrop(offset, event.currentTarget);
  };
  const handlers = {
    onPointerDown: (event: PointerEvent<Target>) => {
      wasMoved.current = false;
      if (event.button === 0) start.current = { x: event.clientX, y: event.clientY };
    },
    onPointerMove: (event: PointerEvent<Target>) => {
      if (start.current === null) return;
      const moved = { x: event.clientX - start.current.x, y: event.clientY - start.current.y };
      if (!wasMoved.current && Math.hypot(moved.x, moved.y) < DRAG_PX) return;
      wasMoved.current = true;
      // Only now, because a captured pointer clicks no button inside.
      event.currentTarget.setPointerCapture(event.pointerId);
      setOffset(moved);
    },
    onPointerUp: end,
    onPointerCancel: end,
    onClickCapture: (event: MouseEvent<Target>) => {
      if (!wasMoved.current) return;
      wasMoved.current = false;
      event.preventDefault();
      event.stopPropagation();
    },
  };
  return { offset, handlers };
}
