import { expect, test } from "vitest";
import { parseGroupNumber } from "./join-group-dialog.tsx";

test.each([
  ["42", 42],
  [" 4 2 ", 42],
  ["４２", 42],
  ["", null],
  ["0", null],
  ["-3", null],
  ["4.2", null],
  ["四", null],
  ["9007199254740993", null],
  ["12345678901234567", null],
])("%j is parsed as the group number %j", (text, expected) => {
  expect(parseGroupNumber(text)).toBe(expected);
});
