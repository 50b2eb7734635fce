import { expect, test } from "vitest";
import { stepListbox } from "./use-listbox.ts";

const COUNT = 100;
const step = (key: string, active: number) => stepListbox(key, active, COUNT, () => 10);

test("arrows move by one option, Page keys by a page, Home and End to the ends", () => {
  expect(step("ArrowDown", 50)).toBe(51);
  expect(step("ArrowUp", 50)).toBe(49);
  expect(step("PageDown", 50)).toBe(60);
  expect(step("PageUp", 50)).toBe(40);
  expect(step("Home", 50)).toBe(0);
  expect(step("End", 50)).toBe(COUNT - 1);
});

test("the ends of the list stop every key", () => {
  for (const key of ["ArrowUp", "PageUp", "Home"]) expect(step(key, 0)).toBe(0);
  for (const key of ["ArrowDown", "PageDown", "End"]) expect(step(key, COUNT - 1)).toBe(COUNT - 1);
  expect(step("PageDown", 95)).toBe(COUNT - 1);
  expect(step("PageUp", 5)).toBe(0);
});

test("other keys do not move", () => {
  for (const key of ["Enter", " ", "a", "ArrowLeft", "Escape", "Tab"]) expect(step(key, 50)).toBeNull();
});
