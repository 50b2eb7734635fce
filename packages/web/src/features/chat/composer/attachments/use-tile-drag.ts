import { useEffect, useEffectEvent, useRef, useState } from "react";
import type { PointerEvent as ReactPointerEvent, RefObject } from "react";
import type { DraftFile } from "@parley/core/model/state";
import { dropPosition, edgeSpeed, withMoved } from "./strip-order.ts";

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
