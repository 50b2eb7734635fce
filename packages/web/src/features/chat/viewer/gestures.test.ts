import { expect, test } from "vitest";
import { createGestures, swipeOf, type GestureHandlers, type PointerSample } from "./gestures.ts";

/** Records what the gestures call. */
function record({ canPan = false }: { canPan?: boolean } = {}) {
  const calls: unknown[][] = [];
  const handlers: GestureHandlers = {
    canPan: () => canPan,
    onPan: (by) => calls.push(["pan", by.x, by.y]),
    onPinch: (factor, at, by) => calls.push(["pinch", factor, at.x, at.y, by.x, by.y]),
    onPull: (by) => calls.push(["pull", ...(by === null ? [] : [by.x, by.y])]),
    onSwipe: (direction) => calls.push(["swipe", direction]),
    onDoubleTap: ({ x, y }) => calls.push(["doubleTap", x, y]),
  };
  return { calls, gestures: createGestures(handlers) };
}

const touch = (id: number, x: number, y: number, time = 0): PointerSample => ({
  id,
  x,
  y,
  time,
  isTouch: true,
});
const mouse = (x: number, y: number, time = 0): PointerSample => ({ id: 9, x, y, time, isTouch: false });

test("VP10 a swipe to the left shows the next picture, to the right the previous one, down closes", () => {
  expect(swipeOf({ x: -80, y: 10 }, 400)).toBe("next");
  expect(swipeOf({ x: 80, y: -10 }, 400)).toBe("previous");
  expect(swipeOf({ x: 10, y: 80 }, 400)).toBe("close");
  expect(swipeOf({ x: 0, y: -300 }, 400)).toBeNull();
  expect(swipeOf({ x: -40, y: 0 }, 400)).toBeNull();
  // Short, but fast.
  expect(swipeOf({ x: -40, y: 0 }, 50)).toBe("next");
});

test("VP10 a finger pulls a whole picture, and it springs back when it is let go", () => {
  const { calls, gestures } = record();
  gestures.down(touch(1, 0, 0));
  gestures.move(touch(1, -4, 0, 10));
  gestures.move(touch(1, -50, 5, 100));
  gestures.move(touch(1, -90, 5, 300));
  gestures.up(touch(1, -90, 5, 400));
  expect(calls).toEqual([["pull", -50, 5], ["pull", -90, 5], ["pull"], ["swipe", "next"]]);
});

test("VP10 a pointer that the browser takes away is no swipe", () => {
  const { calls, gestures } = record();
  gestures.down(touch(1, 0, 0));
  gestures.move(touch(1, -200, 0, 100));
  gestures.cancel(1);
  expect(calls).toEqual([["pull", -200, 0], ["pull"]]);
});

test("VP5 a finger on an enlarged picture moves it, and a mouse always does", () => {
  const enlarged = record({ canPan: true });
  enlarged.gestures.down(touch(1, 0, 0));
  enlarged.gestures.move(touch(1, -100, 0, 20));
  enlarged.gestures.move(touch(1, -120, 7, 40));
  enlarged.gestures.up(touch(1, -120, 7, 50));
  expect(enlarged.calls).toEqual([
    ["pan", -100, 0],
    ["pan", -20, 7],
  ]);
  const whole = record();
  whole.gestures.down(mouse(0, 0));
  whole.gestures.move(mouse(-100, 0, 20));
  whole.gestures.up(mouse(-100, 0, 30));
  expect(whole.calls).toEqual([["pan", -100, 0]]);
});

test("VP3 two fingers pinch at their middle; the one that stays goes on as a pan, and is no tap", () => {
  const { calls, gestures } = record();
  gestures.down(touch(1, -50, 0));
  gestures.down(touch(2, 50, 0));
  gestures.move(touch(2, 150, 0, 20));
  gestures.up(touch(1, -50, 0, 30));
  gestures.move(touch(2, 160, 5, 40));
  gestures.up(touch(2, 160, 5, 50));
  expect(calls).toEqual([
    ["pinch", 2, 50, 0, 50, 0],
    ["pan", 10, 5],
  ]);
});

test("VP3 a second finger ends a pull without a swipe, and a third finger means nothing", () => {
  const { calls, gestures } = record();
  gestures.down(touch(1, 0, 0));
  gestures.move(touch(1, -100, 0, 20));
  gestures.down(touch(2, 100, 0, 30));
  gestures.down(touch(3, 0, 100, 30));
  gestures.move(touch(3, 0, 400, 40));
  gestures.up(touch(3, 0, 400, 50));
  gestures.up(touch(2, 100, 0, 50));
  gestures.up(touch(1, -100, 0, 60));
  expect(calls).toEqual([["pull", -100, 0], ["pull"]]);
});

test("VP6 two taps within 300 ms at one place are a double tap; slower or elsewhere they are not", () => {
  const taps = (...samples: PointerSample[]) => {
    const { calls, gestures } = record();
    for (const sample of samples) {
      gestures.down(sample);
      gestures.up(sample);
    }
    return calls;
  };
  expect(taps(touch(1, 5, 5, 0), touch(1, 8, 8, 200))).toEqual([["doubleTap", 8, 8]]);
  expect(taps(mouse(5, 5, 0), mouse(5, 5, 200))).toEqual([["doubleTap", 5, 5]]);
  expect(taps(touch(1, 5, 5, 0), touch(1, 5, 5, 400))).toEqual([]);
  expect(taps(touch(1, 5, 5, 0), touch(1, 90, 5, 200))).toEqual([]);
  // A third tap is the first of another pair.
  expect(taps(mouse(5, 5, 0), mouse(5, 5, 100), mouse(5, 5, 200))).toEqual([["doubleTap", 5, 5]]);
});
