import { expect, test } from "vitest";
import { CLOSED_PICKER, pickerKeyEffect } from "./account-picker.ts";

const COUNT = 3;
const openAt = (active: number) => ({ isOpen: true, active });

test("arrows open the list and move in a circle", () => {
  expect(pickerKeyEffect(CLOSED_PICKER, "ArrowDown", COUNT)).toEqual(openAt(0));
  expect(pickerKeyEffect(CLOSED_PICKER, "ArrowUp", COUNT)).toEqual(openAt(2));
  expect(pickerKeyEffect(openAt(0), "ArrowDown", COUNT)).toEqual(openAt(1));
  expect(pickerKeyEffect(openAt(2), "ArrowDown", COUNT)).toEqual(openAt(0));
  expect(pickerKeyEffect(openAt(0), "ArrowUp", COUNT)).toEqual(openAt(2));
});

test("in the open list Enter picks, Delete forgets and Esc closes", () => {
  expect(pickerKeyEffect(openAt(1), "Enter", COUNT)).toBe("pick");
  expect(pickerKeyEffect(openAt(1), "Delete", COUNT)).toBe("forget");
  expect(pickerKeyEffect(openAt(1), "Escape", COUNT)).toEqual(CLOSED_PICKER);
});

test("without an active account Enter submits the form and Delete deletes a letter", () => {
  for (const key of ["Enter", "Delete"]) {
    expect(pickerKeyEffect(openAt(-1), key, COUNT)).toBeNull();
    expect(pickerKeyEffect(CLOSED_PICKER, key, COUNT)).toBeNull();
  }
});

test("letters, and every key without accounts, belong to the field", () => {
  expect(pickerKeyEffect(openAt(1), "a", COUNT)).toBeNull();
  expect(pickerKeyEffect(CLOSED_PICKER, "Escape", COUNT)).toBeNull();
  expect(pickerKeyEffect(CLOSED_PICKER, "ArrowDown", 0)).toBeNull();
});
