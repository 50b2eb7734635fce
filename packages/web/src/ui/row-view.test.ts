import { describe, expect, test } from "vitest";
import { edgesOf } from "./row-range.ts";
import { rowsToMount } from "./row-view.ts";

const chats = (count: number) => edgesOf(count, () => 64);

describe("the mounted rows of a list", () => {
  test("are at most 60, however long the list and wherever the view is", () => {
    for (const count of [0, 1, 20, 500, 10_000]) {
      for (const top of [0, 333, 15_000, 10_000_000]) {
        const { first, end } = rowsToMount(chats(count), { top, height: 2_160 });
        expect(end - first).toBeLessThanOrEqual(60);
        expect(end).toBeLessThanOrEqual(count);
      }
    }
  });

  test("fill the view", () => {
    const { first, end } = rowsToMount(chats(10_000), { top: 6_400, height: 900 });
    expect(first).toBeLessThan(100);
    expect(end).toBeGreaterThan(115);
  });

  test("are the last rows after the list shrank below the scroll position, and the first rows above it", () => {
    expect(rowsToMount(chats(30), { top: 9_000, height: 640 })).toEqual({ first: 13, end: 30 });
    expect(rowsToMount(chats(30), { top: -9_000, height: 640 }).first).toBe(0);
  });
});
