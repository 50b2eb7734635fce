import { describe, expect, test } from "vitest";
import { textLength } from "./text-length.ts";

describe("the length of a text message", () => {
  test("M138 text that shows nothing cannot be sent", () => {
    for (const text of ["", " \n ", "\u200b", "\u200b\u200d\ufeff", "\u3164", "\u2800", "\u202e", "\ufe0f"])
      expect(textLength(text, 4_000).canSend).toBe(false);
    for (const text of ["好", "a", ".", "👍", "\u200b.", "\u202eabc"])
      expect(textLength(text, 4_000).canSend).toBe(true);
  });

  test("is shown in code points from 80 % of the limit on", () => {
    expect(textLength("a".repeat(3_199), 4_000).shown).toBeNull();
    expect(textLength("😀".repeat(3_200), 4_000).shown).toBe(3_200);
  });

  test("may be as long as the server says, but not longer", () => {
    const max = 10_000;
    expect(textLength("😀".repeat(max), max)).toEqual({ canSend: true, isTooLong: false, shown: max, max });
    expect(textLength("a".repeat(max + 1), max)).toEqual({
      canSend: false,
      isTooLong: true,
      shown: max + 1,
      max,
    });
  });

  test("does not count blanks at both ends, which are not sent", () => {
    expect(textLength(`  ${"a".repeat(1_024)}\n`, 1_024).canSend).toBe(true);
  });
});
