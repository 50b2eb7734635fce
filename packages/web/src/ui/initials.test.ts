import { describe, expect, test } from "vitest";
import { badgeText } from "./badge-text.ts";
import { avatarColour, initials } from "./initials.ts";

describe("initials", () => {
  test.each([
    ["沈知远", "知远"],
    ["林", "林"],
    ["运维 Ops 值班", "值班"],
    ["Evan Shaw", "ES"],
    ["nora", "NO"],
    ["Tilework · Product", "TP"],
    ["Bo (work)", "BW"],
    ["  ", "?"],
    ["😀 Smile", "😀S"],
  ])("of the person %s are %s", (name, expected) => {
    expect(initials(name)).toBe(expected);
  });
});

test("initials of a group are its first Han characters", () => {
  expect(initials("青瓦项目 · 产品组", false)).toBe("青瓦");
  expect(initials("Tilework · Product", false)).toBe("TP");
});

test("an avatar's colour is one of eight and stays the same", () => {
  const colours = Array.from({ length: 200 }, (_, id) => avatarColour(id));
  expect(colours.every((colour) => Number.isInteger(colour) && colour >= 1 && colour <= 8)).toBe(true);
  expect(new Set(colours).size).toBe(8);
  expect(avatarColour(42)).toBe(avatarColour(42));
});

test("a badge shows 1 to 99, then 99+, and nothing for 0", () => {
  expect([0, 1, 99, 100, 12_345].map(badgeText)).toEqual([null, "1", "99", "99+", "99+"]);
});
