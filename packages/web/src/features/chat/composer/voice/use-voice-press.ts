import { useCallback, useRef, useState } from "react";
import type { PointerEvent } from "react";

/** A click that comes this soon after a finger belongs to that finger, ms. */
const CLICK_OF_TOUCH_MS = 700;

interface Touch {
  readonly pointerId: number;
  readonly x: number;
  readonly y: number;
  readonly at: number;
}

/** The press on the microphone: a finger holds it, slides it away, or lets it go; a mouse or a key clicks it. Null: nothing is recorded. */
export function useVoicePress() {
  const [press, setPress] = useState<VoicePress | null>(null);
  const [slide, setSlide] = useState(0);
  const touch = useRef<Touch | null>(null);
  const touchEndedAt = useRef(-Infinity);

  /** The touch that holds the microphone, if this event is of its finger. */
  const touchOf = ({ pointerId }: PointerEvent<HTMLElement>) =>
    touch.current?.pointerId === pointerId ? touch.current : null;
  const endTouch = (next: VoicePress) => {
    touch.current = null;
    setSlide(0);
    setPress(next);
  };
  return {
    press,
    /** How far the finger has slid to cancel, px. */
    slide,
    end: useCallback(() => {
      // A finger that is still down has nothing more to say.
      touch.current = null;
      setSlide(0);
      setPress(null);
    }, []),
    handlers: {
      onPointerDown(event: PointerEvent<HTMLElement>) {
        // The field keeps the focus, so that an on-screen keyboard stays.
        event.preventDefault();
        if (event.pointerType === "mouse" || press !== null) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        const { pointerId, clientX, clientY } = event;
        touch.current = { pointerId, x: clientX, y: clientY, at: performance.now() };
        setPress("held");
      },
      onPointerMove(event: PointerEvent<HTMLElement>) {
        const held = touchOf(event);
        if (held === null) return;
        const [dx, dy] = [event.clientX - held.x, event.clientY - held.y];
        const next = slideOf(dx, dy);
        setSlide(Math.max(0, -dx));
        if (next !== "held") endTouch(next);
      },
      onPointerUp(event: PointerEvent<HTMLElement>) {
        if (event.pointerType !== "mouse") touchEndedAt.current = performance.now();
        const held = touchOf(event);
        if (held !== null) endTouch(endOfPress(performance.now() - held.at));
      },
      onPointerCancel(event: PointerEvent<HTMLElement>) {
        if (touchOf(event) !== null) endTouch("interrupted");
      },
      onContextMenu: (event: { preventDefault(): void }) => event.preventDefault(),
      onClick() {
        if (press === null && performance.now() - touchEndedAt.current > CLICK_OF_TOUCH_MS)
          setPress("locked");
      },
    },
  } as const;
}

/** A shorter press is a click, not a hold. */
const CLICK_MS = 300;
/** How far a finger slides to the start of the line to cancel, px. */
const CANCEL_PX = 96;
/** How far it slides up to go on without the finger, px. */
const LOCK_PX = 72;

/** What a press on the microphone has come to. `locked` records on without the finger; `interrupted`: the system took the finger away. */
export type VoicePress = "held" | "locked" | "released" | "interrupted" | "cancelled";

/** Where a held finger has got to, from where it went down. The direction in which it went further decides. */
export function slideOf(dx: number, dy: number): VoicePress {
  const toCancel = -dx / CANCEL_PX;
  const toLock = -dy / LOCK_PX;
  if (Math.max(toCancel, toLock) < 1) return "held";
  return toCancel >= toLock ? "cancelled" : "locked";
}

/** What the end of a press means: a click records on until the next one, a longer press ends with the finger. */
export function endOfPress(ms: number): VoicePress {
  return ms < CLICK_MS ? "locked" : "released";
}
