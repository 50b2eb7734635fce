import { expect, test } from "vitest";
import { endOfPress, slideOf } from "./use-voice-press.ts";

test("E15 a finger that slides sideways cancels, one that slides up locks, the further way decides", () => {
  expect(slideOf(0, 0)).toBe("held");
  expect(slideOf(-95, -71)).toBe("held");
  expect(slideOf(300, 300)).toBe("held");
  expect(slideOf(-96, 0)).toBe("cancelled");
  expect(slideOf(0, -72)).toBe("locked");
  expect(slideOf(-100, -200)).toBe("locked");
  expect(slideOf(-300, -80)).toBe("cancelled");
});

test("E15 a short press records on, a longer one ends with the finger", () => {
  expect(endOfPress(299)).toBe("locked");
  expect(endOfPress(300)).toBe("released");
});
