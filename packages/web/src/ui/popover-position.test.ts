import { expect, test } from "vitest";
import { fitIntoWindow, tooltipPosition } from "./popover-position.ts";

const VIEW = { width: 1_000, height: 600 };
const TOOLTIP = { width: 80, height: 24 };
const target = (left: number, top: number) => ({
  left,
  top,
  width: 40,
  height: 40,
  right: left + 40,
  bottom: top + 40,
});
const positionAt = (left: number, top: number, side: string) =>
  tooltipPosition(target(left, top), TOOLTIP, VIEW, side);

test("a popover keeps its place, or the nearest one inside the window", () => {
  expect(fitIntoWindow(100.4, 50, 600)).toBe(100);
  expect(fitIntoWindow(-20, 50, 600)).toBe(8);
  expect(fitIntoWindow(590, 50, 600)).toBe(542);
  expect(fitIntoWindow(100, 700, 600)).toBe(8);
  expect(fitIntoWindow(-20, 50, 600, 32)).toBe(40);
});

test("a tooltip is centred below, above or to the right of its target", () => {
  expect(positionAt(500, 300, "bottom")).toEqual({ x: 480, y: 346 });
  expect(positionAt(500, 300, "top")).toEqual({ x: 480, y: 270 });
  expect(positionAt(500, 300, "right")).toEqual({ x: 546, y: 308 });
});

test("a tooltip without space below its target is above it", () => {
  expect(positionAt(500, 522, "bottom")).toEqual({ x: 480, y: 568 });
  expect(positionAt(500, 523, "bottom")).toEqual({ x: 480, y: 493 });
});

test("a tooltip at an edge is moved into the window", () => {
  expect(positionAt(0, 300, "bottom").x).toBe(8);
  expect(positionAt(960, 300, "bottom").x).toBe(912);
  expect(positionAt(500, 0, "top").y).toBe(8);
  expect(tooltipPosition(target(500, 40), TOOLTIP, VIEW, "top", 32).y).toBe(40);
  expect(positionAt(500, 580, "right").y).toBe(568);
});
