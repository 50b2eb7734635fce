import { useEffect, useMemo, useRef } from "react";
import type { MouseEvent, PointerEvent } from "react";

/** A finger that rests this long, moving no further than the tolerance, opens the menu. */
const LONG_PRESS_MS = 500;
const MOVE_TOLERANCE_PX = 10;

/** A point in window coordinates. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/**
 * Opens a context menu on a right click, the menu key and a long press. `onOpen` gets the element under the pointer, or the focused one for
 * keys, and the point for the menu; it returns whether there is a menu. Spread the handlers on the element that contains the targets.
 */
export function useMenuPoint(onOpen: (target: Element, point: Point) => boolean) {
  const openMenu = useRef(onOpen);
  useEffect(() => {
    openMenu.current = onOpen;
  }, [onOpen]);
  const press = useRef<{ timer: number; point: Point } | null>(null);
  const hasOpened = useRef(false);

  return useMemo(() => {
    const release = () => {
      window.clearTimeout(press.current?.timer);
      press.current = null;
    };
    return {
      onContextMenu(event: MouseEvent) {
        release();
        if (!(event.target instanceof Element)) return;
        // After a long press some browsers send this event as well, others send it instead.
        const box = event.target.getBoundingClientRect();
        const isByKey = event.clientX === 0 && event.clientY === 0;
        const menuPoint = isByKey ? { x: box.left, y: box.bottom } : { x: event.clientX, y: event.clientY };
        if (hasOpened.current || openMenu.current(event.target, menuPoint)) event.preventDefault();
      },
      onPointerDown(event: PointerEvent) {
        release();
        hasOpened.current = false;
        const { target, clientX: x, clientY: y } = event;
        if (event.pointerType !== "touch" || !(target instanceof Element)) return;
        const timer = window.setTimeout(() => {
          hasOpened.current = openMenu.current(target, { x, y });
          press.current = null;
        }, LONG_PRESS_MS);
        press.current = { timer, point: { x, y } };
      },
      onPointerMove(event: PointerEvent) {
        const point = press.current?.point;
        if (
          point !== undefined &&
          Math.hypot(event.clientX - point.x, event.clientY - point.y) > MOVE_TOLERANCE_PX
        )
          release();
      },
      onPointerUp: release,
      onPointerCancel: release,
      onClickCapture(event: MouseEvent) {
        // The click at the end of a long press is not a tap.
        if (!hasOpened.current) return;
        hasOpened.current = false;
        event.preventDefault();
        event.stopPropagation();
      },
    } as const;
  }, []);
}
