import { describe, expect, test } from "vitest";
import { positionCard } from "./user-card.tsx";

const view = { width: 1_440, height: 900 };

describe("the position of the user card", () => {
  test("is the clicked point", () => {
    expect(positionCard({ x: 300, y: 100 }, view, 180)).toEqual({ x: 300, y: 100 });
  });

  test("D4 has a distance of at least 350 px from the right and 200 px from the bottom edge", () => {
    expect(positionCard({ x: 1_400, y: 890 }, view, 180)).toEqual({ x: 1_090, y: 700 });
  });

  test("moves a taller card up until it is completely visible", () => {
    expect(positionCard({ x: 0, y: 890 }, view, 260)).toEqual({ x: 8, y: 632 });
  });

  test("never exceeds the upper left corner of the window", () => {
    expect(positionCard({ x: 300, y: 100 }, { width: 320, height: 180 }, 260)).toEqual({ x: 8, y: 8 });
  });
});
