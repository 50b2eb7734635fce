import { beforeEach, describe, expect, test } from "vitest";
import { emoticonToken } from "@parley/protocol/emoticons";
import { readPreference, setPreferenceStore, writePreference } from "../settings/preferences.ts";
import {
  gridRows,
  moveInGrid,
  readRecent,
  readTone,
  withRecent,
  writeRecent,
  writeTone,
} from "./emoji-grid.ts";

const numbers = (length: number) => Array.from({ length }, (_, number) => number);

beforeEach(() => {
  const values = new Map<string, string>();
  setPreferenceStore({
    get: (key) => values.get(key) ?? null,
    set: (key, value) => values.set(key, value),
    remove: (key) => values.delete(key),
  });
});

describe("the emoji picker", () => {
  test("has eight columns", () => {
    expect(gridRows(numbers(57)).map((row) => row.length)).toEqual([8, 8, 8, 8, 8, 8, 8, 1]);
    expect(gridRows([])).toEqual([]);
  });

  test("remembers the last 24 keys without duplicates", () => {
    expect(withRecent(["👍", "🎉", "❤️"], "❤️")).toEqual(["❤️", "👍", "🎉"]);
    const many = numbers(24).map(emoticonToken);
    expect(withRecent(many, "👍")).toEqual(["👍", ...many.slice(0, 23)]);
  });

  test("stores emoticons and emoji that were used, and the skin tone", () => {
    writeRecent(["👍🏽", emoticonToken(9), "1️⃣"]);
    expect(readPreference("emoticons")).toBe("👍🏽,9,1️⃣");
    expect(readRecent()).toEqual(["👍🏽", emoticonToken(9), "1️⃣"]);
    expect(readTone()).toBeNull();
    writeTone("🏽");
    expect(readTone()).toBe("🏽");
    writeTone(null);
    expect(readTone()).toBeNull();
  });

  test("leaves out what is stored and no key", () => {
    writePreference("emoticons", "3,57,x,,👍");
    expect(readRecent()).toEqual([emoticonToken(3), "👍"]);
  });

  test("moves through the grid with arrow keys, also over a shorter row", () => {
    const rows = [[5, 3], ...gridRows(numbers(57))];
    expect(moveInGrid(rows, 0, "ArrowLeft")).toBe(0);
    expect(moveInGrid(rows, 1, "ArrowRight")).toBe(2);
    expect(moveInGrid(rows, 1, "ArrowDown")).toBe(3);
    expect(moveInGrid(rows, 9, "ArrowUp")).toBe(1);
    expect(moveInGrid(rows, 57, "ArrowDown")).toBe(58);
    expect(moveInGrid(rows, 58, "ArrowDown")).toBe(58);
    expect(moveInGrid(rows, 58, "ArrowRight")).toBe(58);
    expect(moveInGrid(rows, 4, "Home")).toBe(2);
    expect(moveInGrid(rows, 4, "End")).toBe(9);
    expect(moveInGrid(rows, 4, "a")).toBeNull();
  });
});
