import { useEffect, useMemo, useRef } from "react";
import type { MouseEvent, PointerEvent } from "react";

/** A finger that rests this long, and no further from where it came down, asks for the menu. */
const LONG_PRESS_MS = 500;
const MOVE_TOLERANCE_PX = 10;

export interface Point {
  readonly x: number;
  readonly y: number;
}

/**
 * Right click, the menu key with its like, and a resting finger: `onAsk` gets what was under the pointer, or the focused element for keys,
 * and where to show the menu; it answers whether there is one. Spread the handlers on whatever holds the targets.
 */
export function useMenuPoint(onAsk: (target: Element, point: Point) => boolean) {
  const ask = useRef(onAsk);
  useEffect(() => {
    ask.current = onAsk;
  }, [onAsk]);
  const press = useRef<{ timer: number; at: Point } | null>(null);
  const isTaken = useRef(false);

  return useMemo(() => {
    const release = () => {
      window.clearTimeout(press.current?.timer);
      press.current = null;
    };
    return {
      onContextMenu(event: MouseEvent) {
        release();
        if (!(event.target instanceof Element)) return;
        // A finger's own event may follow the timer, or come without it.
        const box = event.target.getBoundingClientRect();
        const isByKey = event.clientX === 0 && event.clientY === 0;
        const point = isByKey ? { x: box.left, y: box.bottom } : { x: event.clientX, y: event.clientY };
        if (isTaken.current || ask.current(event.target, point)) event.preventDefault();
      },
      onPointerDown(event: PointerEvent) {
        release();
        isTaken.current = false;
        const { target, clientX: x, clientY: y } = event;
        if (event.pointerType !== "touch" || !(target instanceof Element)) return;
        const timer = window.setTimeout(() => {
          isTaken.current = ask.current(target, { x, y });
          press.current = null;
        }, LONG_PRESS_MS);
        press.current = { timer, at: { x, y } };
      },
      onPointerMove(event: PointerEvent) {
        const at = press.current?.at;
        if (at !== undefined && Math.hypot(event.clientX - at.x, event.clientY - at.y) > MOVE_TOLERANCE_PX)
          release();
      },
      onPointerUp: release,
      onPointerCancel: release,
      onClickCapture(event: MouseEvent) {
        // Lifting the finger is no tap.
        if (!isTaken.current) return;
        isTaken.current = false;
        event.preventDefault();
        event.stopPropagation();
      },
    } as const;
  }, []);
}
