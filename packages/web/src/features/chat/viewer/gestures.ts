import { useEffect, useEffectEvent } from "react";
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

/** A pointer as the stage reports it; px from the middle of the stage, ms. */
export interface PointerSample extends Point {
  readonly id: number;
  readonly time: number;
  readonly isTouch: boolean;
}

/** What the pointers on a picture mean. */
export interface GestureHandlers {
  /** Whether the picture is larger than the stage: then a finger moves it, and does not go to another one. */
  canPan(): boolean;
  onPan(by: Point): void;
  onPinch(factor: number, at: Point, by: Point): void;
  /** A finger pulls the whole picture; null: it was let go. */
  onPull(by: Point | null): void;
  onSwipe(direction: Swipe): void;
  onDoubleTap(at: Point): void;
}

type Swipe = "next" | "previous" | "close";

const TAP_MAX_PX = 10;
const DOUBLE_TAP_MS = 300;
const DOUBLE_TAP_PX = 40;
const SWIPE_MIN_PX = 60;
/** A short but fast movement is a swipe too. */
const FLICK_MIN_PX = 24;
const FLICK_MIN_PX_PER_MS = 0.5;

/** What a pull by a finger means when it is let go: to the left the next picture, down the end. null: nothing. */
export function swipeOf(by: Point, ms: number): Swipe | null {
  const isSideways = Math.abs(by.x) > Math.abs(by.y);
  const way = isSideways ? Math.abs(by.x) : by.y;
  const isFlick = way >= FLICK_MIN_PX && way / Math.max(1, ms) >= FLICK_MIN_PX_PER_MS;
  if (way < SWIPE_MIN_PX && !isFlick) return null;
  if (!isSideways) return "close";
  return by.x < 0 ? "next" : "previous";
}

interface Held {
  readonly start: PointerSample;
  last: PointerSample;
}

/**
 * Tells gestures from pointers: one finger pans or swipes, two pinch, a mouse pans, two taps are a double tap. All of them share the
 * pointers, so that a finger that is lifted after a pinch goes on as a pan and is not taken for a tap or a swipe.
 */
export function createGestures(handlers: GestureHandlers) {
  const held = new Map<number, Held>();
  let mode: "none" | "pan" | "pull" | "pinch" = "none";
  let lastTap: PointerSample | null = null;

  function move(sample: PointerSample): void {
    const pointer = held.get(sample.id);
    if (pointer === undefined) return;
    const before = pointer.last;
    const [first, second] = held.values();
    if (mode === "pinch" && first !== undefined && second !== undefined) {
      const [a, b] = [first.last, second.last];
      pointer.last = sample;
      pinch([a, b], [first.last, second.last]);
      return;
    }
    const way = minus(sample, pointer.start);
    if (mode === "none") {
      if (Math.hypot(way.x, way.y) < TAP_MAX_PX) return;
      mode = handlers.canPan() || !sample.isTouch ? "pan" : "pull";
    }
    pointer.last = sample;
    if (mode === "pan") handlers.onPan(minus(sample, before));
    else if (mode === "pull") handlers.onPull(way);
  }

  function pinch(before: readonly [Point, Point], after: readonly [Point, Point]): void {
    const distance = ([a, b]: readonly [Point, Point]) => Math.max(1, Math.hypot(a.x - b.x, a.y - b.y));
    const middle = ([a, b]: readonly [Point, Point]) => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 });
    const at = middle(after);
    handlers.onPinch(distance(after) / distance(before), at, minus(at, middle(before)));
  }

  function tap(sample: PointerSample): void {
    const isDouble =
      lastTap !== null &&
      sample.time - lastTap.time <= DOUBLE_TAP_MS &&
      Math.hypot(sample.x - lastTap.x, sample.y - lastTap.y) <= DOUBLE_TAP_PX;
    lastTap = isDouble ? null : sample;
    if (isDouble) handlers.onDoubleTap(sample);
  }

  function end(id: number, lifted: PointerSample | null): void {
    const pointer = held.get(id);
    if (pointer === undefined) return;
    held.delete(id);
    if (mode === "pull") {
      handlers.onPull(null);
      const swipe = lifted && swipeOf(minus(lifted, pointer.start), lifted.time - pointer.start.time);
      if (swipe) handlers.onSwipe(swipe);
    } else if (mode === "none" && lifted !== null) {
      tap(lifted);
    }
    if (held.size === 0) mode = "none";
    else if (mode === "pinch") mode = "pan";
  }

  return {
    down(sample: PointerSample): void {
      // A third finger means nothing.
      if (held.size === 2) return;
      held.set(sample.id, { start: sample, last: sample });
      if (held.size < 2) return;
      if (mode === "pull") handlers.onPull(null);
      mode = "pinch";
    },
    move,
    up: (sample: PointerSample) => end(sample.id, sample),
    /** The browser has taken the pointer away. */
    cancel: (id: number) => end(id, null),
  };
}

const minus = (a: Point, b: Point): Point => ({ x: a.x - b.x, y: a.y - b.y });
