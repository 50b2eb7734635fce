import { useEffect, useEffectEvent, useRef, useState } from "react";
import type { PointerEvent as ReactPointerEvent, RefObject } from "react";
import type { DraftFile } from "@parley/core/model/state";

/** A mouse that moves further drags. */
const DRAG_PX = 6;
/** The longest time for which one frame scrolls, ms: after a pause, a busy page does not catch up. */
const FRAME_MAX_MS = 50;
/** A finger drags after this time without moving; before it the strip scrolls. */
const LONG_PRESS_MS = 300;

interface Drag {
  readonly id: string;
  readonly pointerId: number;
  readonly startX: number;
  readonly isTouch: boolean;
}

/**
 * Moves the tiles of the strip by the pointer; near its edges the strip scrolls. `shown` is the order while a tile is dragged; `onDrop` gets the file and its new place.
 */
export function useTileDrag(
  list: RefObject<HTMLElement | null>,
  files: readonly DraftFile[],
  onDrop: (file: DraftFile, index: number) => void,
) {
  const [pressed, setPressed] = useState<Drag | null>(null);
  const [place, setPlace] = useState<number | null>(null);
  /** The press that ended last was a drag, so its click is none. */
  const wasDragged = useRef(false);
  const from = files.findIndex(({ id }) => id === pressed?.id);

  const drop = useEffectEvent((index: number) => {
    const file = files[from];
    if (file !== undefined && index !== from) onDrop(file, index);
  });
  useEffect(() => {
    if (pressed === null) return;
    let isDragging = false;
    let at: number | null = null;
    let x = pressed.startX;
    const start = () => {
      isDragging = true;
      wasDragged.current = true;
      at = from;
      setPlace(from);
      edgeScroll.start();
    };
    const follow = () => {
      at = dropPosition(middlesOfOthers(list.current, pressed.id), x);
      setPlace(at);
    };
    const edgeScroll = createEdgeScroll(list, () => x, follow);
    const timer = pressed.isTouch ? window.setTimeout(start, LONG_PRESS_MS) : 0;
    const end = () => {
      setPressed(null);
      setPlace(null);
    };
    const move = (event: PointerEvent) => {
      if (event.pointerId !== pressed.pointerId) return;
      const isFar = Math.abs(event.clientX - pressed.startX) > DRAG_PX;
      if (!isDragging && isFar && pressed.isTouch) return end();
      if (!isDragging && isFar) start();
      x = event.clientX;
      if (isDragging) follow();
    };
    const up = (event: PointerEvent) => {
      if (event.pointerId !== pressed.pointerId) return;
      if (isDragging && at !== null) drop(at);
      end();
    };
    const cancel = (event: KeyboardEvent) => {
      if (event.key !== "Escape" || !isDragging) return;
      event.preventDefault();
      event.stopPropagation();
      end();
    };
    // Else the strip would scroll under the dragged tile.
    const holdStill = (event: TouchEvent) => isDragging && event.preventDefault();
    window.addEventListener("pointermove", move);
    window.addEventListener("pointerup", up);
    window.addEventListener("pointercancel", end);
    window.addEventListener("keydown", cancel, true);
    window.addEventListener("touchmove", holdStill, { passive: false });
    return () => {
      window.clearTimeout(timer);
      edgeScroll.stop();
      window.removeEventListener("pointermove", move);
      window.removeEventListener("pointerup", up);
      window.removeEventListener("pointercancel", end);
      window.removeEventListener("keydown", cancel, true);
      window.removeEventListener("touchmove", holdStill);
    };
  }, [pressed, from, list]);

  return {
    shown: place === null ? files : withMoved(files, from, place),
    draggedId: place === null ? null : pressed?.id,
    /** Whether the click that comes now ends a drag. */
    hasDragged: () => wasDragged.current,
    begin(event: ReactPointerEvent, file: DraftFile) {
      if (event.button !== 0) return;
      wasDragged.current = false;
      setPressed({
        id: file.id,
        pointerId: event.pointerId,
        startX: event.clientX,
        isTouch: event.pointerType !== "mouse",
      });
    },
  } as const;
}

/** The middles of the tiles of a strip, without the dragged one, px from the left of the window. */
function middlesOfOthers(strip: HTMLElement | null, draggedId: string): number[] {
  return [...(strip?.querySelectorAll<HTMLElement>("[data-id]") ?? [])]
    .filter((tile) => tile.dataset["id"] !== draggedId)
    .map((tile) => tile.getBoundingClientRect())
    .map(({ left, width }) => left + width / 2);
}

/** Scrolls the strip in each frame while the pointer is near one of its edges. */
function createEdgeScroll(list: RefObject<HTMLElement | null>, pointerX: () => number, onScroll: () => void) {
  let frame = 0;
  const scroll = (before: number) => {
    frame = requestAnimationFrame((now) => {
      const strip = list.current;
      const speed = strip === null ? 0 : edgeSpeed(pointerX(), strip.getBoundingClientRect());
      if (strip !== null && speed !== 0) {
        strip.scrollLeft += (speed * Math.min(now - before, FRAME_MAX_MS)) / 1_000;
        onScroll();
      }
      scroll(now);
    });
  };
  return { start: () => scroll(performance.now()), stop: () => cancelAnimationFrame(frame) };
}

/** The list with the item at `from` moved to `to`; positions outside the list count as its ends. */
export function withMoved<Item>(items: readonly Item[], from: number, to: number): readonly Item[] {
  const moved = items[from];
  if (moved === undefined) return items;
  const others = items.filter((_, index) => index !== from);
  return others.toSpliced(Math.min(Math.max(to, 0), others.length), 0, moved);
}

/** How near to its edge the strip scrolls, px. */
const EDGE_PX = 48;
/** Speeds at the border of that zone and at the edge, px a second. The lower one is still a whole pixel in each frame. */
const SPEEDS = { slow: 120, fast: 900 } as const;

/** How fast the strip scrolls while a tile is dragged at `x`, px a second: the faster, the nearer to the edge; negative to the left. */
export function edgeSpeed(x: number, { left, right }: { left: number; right: number }): number {
  const depth = EDGE_PX - Math.min(x - left, right - x);
  if (depth <= 0) return 0;
  const speed = SPEEDS.slow + (SPEEDS.fast - SPEEDS.slow) * Math.min(1, depth / EDGE_PX);
  return x - left < right - x ? -speed : speed;
}

/** The position at which a dragged tile is dropped: behind the tiles whose middle it has passed. `middles`: of the other tiles, in order. */
export function dropPosition(middles: readonly number[], x: number): number {
  return middles.filter((middle) => middle < x).length;
}
