import { expect, test } from "vitest";
import { outputName, outputType, planDrawing, turnedSize } from "./crop-math.ts";

const LANDSCAPE = { width: 4_000, height: 2_000 };

/** Where the plan puts a point of the upright picture on the canvas. */
function place(plan: ReturnType<typeof planDrawing>, picture: typeof LANDSCAPE, x: number, y: number) {
  const [dx, dy] = [x - picture.width / 2, y - picture.height / 2];
  const [sin, cos] = [Math.sin(plan.radians), Math.cos(plan.radians)];
  return {
    x: Math.round(plan.middleX + (dx * cos - dy * sin) * plan.scale),
    y: Math.round(plan.middleY + (dx * sin + dy * cos) * plan.scale),
  };
}

test("VP20 the avatar is the chosen square, with at most 1024 px on a side", () => {
  const plan = planDrawing(LANDSCAPE, 0, { x: 1_000, y: 0, width: 2_000, height: 2_000 });
  expect(plan.side).toBe(1_024);
  expect(place(plan, LANDSCAPE, 1_000, 0)).toEqual({ x: 0, y: 0 });
  expect(place(plan, LANDSCAPE, 3_000, 2_000)).toEqual({ x: 1_024, y: 1_024 });
});

test("VP20 a small part is not enlarged", () => {
  const plan = planDrawing({ width: 64, height: 64 }, 0, { x: 0, y: 0, width: 64, height: 64 });
  expect(plan).toMatchObject({ side: 64, scale: 1, middleX: 32, middleY: 32 });
  // Rounding errors of the dialog never make an empty canvas.
  expect(planDrawing(LANDSCAPE, 0, { x: 0, y: 0, width: 0.2, height: 0.2 }).side).toBe(1);
});

test("VP20 the part is one of the turned picture", () => {
  // Turned clockwise the picture is 2000 x 4000, and its left upper corner is the lower left one of before.
  expect(turnedSize(4_000, 2_000, 90).width).toBeCloseTo(2_000);
  expect(turnedSize(4_000, 2_000, 270).height).toBeCloseTo(4_000);
  const plan = planDrawing(LANDSCAPE, 90, { x: 0, y: 0, width: 1_000, height: 1_000 });
  expect(place(plan, LANDSCAPE, 0, 2_000)).toEqual({ x: 0, y: 0 });
  expect(place(plan, LANDSCAPE, 1_000, 1_000)).toEqual({ x: 1_000, y: 1_000 });
  const upsideDown = planDrawing(LANDSCAPE, 180, { x: 0, y: 0, width: 500, height: 500 });
  expect(place(upsideDown, LANDSCAPE, 4_000, 2_000)).toEqual({ x: 0, y: 0 });
});

test("VP21 the avatar keeps the type of the file, and its name with the right extension", () => {
  expect(["image/jpeg", "image/png", "image/webp"].map(outputType)).toEqual([
    "image/jpeg",
    "image/png",
    "image/webp",
  ]);
  expect(outputType("")).toBe("image/jpeg");
  expect(outputName("me.at.the.lake.JPEG", "image/jpeg")).toBe("me.at.the.lake.jpg");
  expect(outputName("me.webp", "image/png")).toBe("me.png");
  expect(outputName(".png", "image/webp")).toBe("avatar.webp");
});
