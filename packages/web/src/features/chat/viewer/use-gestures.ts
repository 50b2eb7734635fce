import { useEffect, useEffectEvent } from "react";
import { createGestures, type GestureHandlers, type PointerSample } from "./gestures.ts";
import type { Point } from "./view-state.ts";

interface StageHandlers extends GestureHandlers {
  /** The wheel; positive steps enlarge. */
  onWheel(steps: number, at: Point): void;
}

/** A notch of a wheel, in px of `deltaY`. */
const NOTCH_PX = 100;
/** A pinch on a trackpad arrives as a wheel with Ctrl and much smaller distances. */
const TRACKPAD_PX = 18;
const LINE_PX = 40;

/** Steps of zoom for a turn of the wheel: one for a notch, parts of it for a trackpad. */
function stepsOf({ deltaY, deltaMode, ctrlKey }: WheelEvent): number {
  const px = deltaMode === WheelEvent.DOM_DELTA_PIXEL ? deltaY : deltaY * LINE_PX;
  return Math.max(-1, Math.min(1, -px / (ctrlKey ? TRACKPAD_PX : NOTCH_PX)));
}

/** Connects the pointers and the wheel on an element with handlers. */
export function useGestures(element: HTMLElement | null, handlers: StageHandlers): void {
  const canPan = useEffectEvent(() => handlers.canPan());
  const onPan = useEffectEvent((by: Point) => handlers.onPan(by));
  const onPinch = useEffectEvent((factor: number, at: Point, by: Point) => handlers.onPinch(factor, at, by));
  const onPull = useEffectEvent((by: Point | null) => handlers.onPull(by));
  const onSwipe = useEffectEvent<GestureHandlers["onSwipe"]>((direction) => handlers.onSwipe(direction));
  const onDoubleTap = useEffectEvent((at: Point) => handlers.onDoubleTap(at));
  const onWheel = useEffectEvent((steps: number, at: Point) => handlers.onWheel(steps, at));
  useEffect(() => {
    if (element === null) return;
    const gestures = createGestures({
      canPan: () => canPan(),
      onPan: (by) => onPan(by),
      onPinch: (factor, at, by) => onPinch(factor, at, by),
      onPull: (by) => onPull(by),
      onSwipe: (direction) => onSwipe(direction),
      onDoubleTap: (at) => onDoubleTap(at),
    });
    const pointOf = ({ clientX, clientY }: MouseEvent): Point => {
      const { left, top, width, height } = element.getBoundingClientRect();
      return { x: clientX - left - width / 2, y: clientY - top - height / 2 };
    };
    const sampleOf = (event: PointerEvent): PointerSample => ({
      ...pointOf(event),
      id: event.pointerId,
      time: event.timeStamp,
      isTouch: event.pointerType !== "mouse",
    });
    const handleDown = (event: PointerEvent) => {
      if (event.button !== 0) return;
      // They use their pointers themselves.
      if (event.target instanceof Element && event.target.closest("button, video") !== null) return;
      element.setPointerCapture(event.pointerId);
      gestures.down(sampleOf(event));
    };
    const handleMove = (event: PointerEvent) => gestures.move(sampleOf(event));
    const handleUp = (event: PointerEvent) => gestures.up(sampleOf(event));
    const handleCancel = (event: PointerEvent) => gestures.cancel(event.pointerId);
    const handleWheel = (event: WheelEvent) => {
      event.preventDefault();
      onWheel(stepsOf(event), pointOf(event));
    };
    element.addEventListener("pointerdown", handleDown);
    element.addEventListener("pointermove", handleMove);
    element.addEventListener("pointerup", handleUp);
    element.addEventListener("pointercancel", handleCancel);
    element.addEventListener("wheel", handleWheel, { passive: false });
    return () => {
      element.removeEventListener("pointerdown", handleDown);
      element.removeEventListener("pointermove", handleMove);
      element.removeEventListener("pointerup", handleUp);
      element.removeEventListener("pointercancel", handleCancel);
      element.removeEventListener("wheel", handleWheel);
    };
  }, [element]);
}
