import { expect, test } from "vitest";
import {
  afterKey,
  type Area,
  dragged,
  type Grip,
  gripAt,
  placeOn,
  type Point,
  wholeOf,
} from "./selection.ts";

const SIZE = { width: 2_000, height: 1_000 };
const AREA: Area = { x: 400, y: 200, width: 600, height: 300 };
const REACH = 20;

const drag = (grip: Grip, from: Point, to: Point, area = AREA) =>
  dragged({ grip, from, area }, to, REACH / 2, SIZE);

test("a place on the screen is one on the picture, and beside the picture the nearest one", () => {
  const box = { x: 100, y: 50, width: 1_000, height: 500 };
  expect(placeOn(box, { x: 600, y: 300 }, SIZE)).toEqual({ x: 1_000, y: 500 });
  expect(placeOn(box, { x: 0, y: 900 }, SIZE)).toEqual({ x: 0, y: 1_000 });
});

test("a press on the whole picture begins a new area, in whichever direction it goes", () => {
  const whole = wholeOf(SIZE);
  expect(gripAt({ x: 5, y: 5 }, whole, REACH, SIZE)).toBe("new");
  const expected = { x: 100, y: 50, width: 300, height: 200 };
  expect(drag("new", { x: 100.4, y: 50 }, { x: 400, y: 249.6 }, whole)).toEqual(expected);
  expect(drag("new", { x: 400, y: 250 }, { x: 100, y: 50 }, whole)).toEqual(expected);
});

test("a click beside an area leaves it, and a thin line has at least one pixel", () => {
  expect(drag("new", { x: 1_500, y: 800 }, { x: 1_504, y: 803 })).toEqual(AREA);
  expect(drag("new", { x: 2_000, y: 10 }, { x: 2_000, y: 90 })).toEqual({
    x: 1_999,
    y: 10,
    width: 1,
    height: 80,
  });
});

test("a press takes hold of the nearest edges, else of the area, else of nothing", () => {
  const grips: [Point, Grip][] = [
    [{ x: 395, y: 210 }, "nw"],
    [{ x: 1_000, y: 190 }, "ne"],
    [{ x: 400, y: 510 }, "sw"],
    [{ x: 1_015, y: 515 }, "se"],
    [{ x: 700, y: 205 }, "n"],
    [{ x: 700, y: 495 }, "s"],
    [{ x: 385, y: 350 }, "w"],
    [{ x: 1_010, y: 350 }, "e"],
    [{ x: 700, y: 350 }, "move"],
    [{ x: 700, y: 550 }, "new"],
    [{ x: 300, y: 350 }, "new"],
  ];
  expect(grips.map(([point]) => gripAt(point, AREA, REACH, SIZE))).toEqual(grips.map(([, grip]) => grip));
  // Both edges of a tiny area are within reach.
  expect(gripAt({ x: 409, y: 209 }, { x: 400, y: 200, width: 10, height: 10 }, REACH, SIZE)).toBe("se");
});

test("an edge follows the pointer, past the opposite one too, and stays on the picture", () => {
  const from = { x: 400, y: 200 };
  expect(drag("nw", from, { x: 350, y: 150 })).toEqual({ x: 350, y: 150, width: 650, height: 350 });
  expect(drag("w", from, { x: 1_100, y: 0 })).toEqual({ x: 1_000, y: 200, width: 100, height: 300 });
  expect(drag("se", { x: 1_000, y: 500 }, { x: 5_000, y: 5_000 })).toEqual({
    x: 400,
    y: 200,
    width: 1_600,
    height: 800,
  });
});

test("a moved area keeps its size and stays on the picture", () => {
  expect(drag("move", { x: 0, y: 0 }, { x: -50, y: 30.4 })).toEqual({ ...AREA, x: 350, y: 230 });
  expect(drag("move", { x: 0, y: 0 }, { x: 9_000, y: -9_000 })).toEqual({ ...AREA, x: 1_400, y: 0 });
});

test("arrow keys move the area, with Shift its right and lower edge, with Alt by one pixel", () => {
  const press = (key: string, area = AREA, keys = {}) =>
    afterKey({ key, shiftKey: false, altKey: false, ...keys }, area, SIZE);
  expect(press("ArrowLeft")).toEqual({ ...AREA, x: 390 });
  expect(press("ArrowDown", AREA, { altKey: true })).toEqual({ ...AREA, y: 201 });
  expect(press("ArrowRight", AREA, { shiftKey: true })).toEqual({ ...AREA, width: 610 });
  expect(press("ArrowUp", { ...AREA, height: 5 }, { shiftKey: true })).toEqual({ ...AREA, height: 1 });
  expect(press("ArrowRight", wholeOf(SIZE), { shiftKey: true })).toEqual(wholeOf(SIZE));
  expect(press("ArrowUp", { ...AREA, y: 3 })).toEqual({ ...AREA, y: 0 });
  expect(press("a")).toBeNull();
});
