import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { codePoints, flagParam, id, idListParam, idParam, isWellFormed, text } from "./text.ts";

describe("text", () => {
  test("lengths count code points", () => {
    expect(codePoints("a界😀")).toBe(3);
    fc.assert(fc.property(fc.string({ unit: "binary" }), (value) => codePoints(value) === [...value].length));
  });

  test("NUL and lone surrogates are refused", () => {
    expect(isWellFormed("a\0b")).toBe(false);
    expect(isWellFormed("a\ud800b")).toBe(false);
    expect(isWellFormed("😀")).toBe(true);
  });

  test("limits are inclusive", () => {
    expect(text(3, 1).safeParse("😀😀😀").success).toBe(true);
    expect(text(3, 1).safeParse("😀😀😀😀").success).toBe(false);
    expect(text(3, 1).safeParse("").success).toBe(false);
  });

  test("ids are whole numbers below 2^53", () => {
    for (const wrong of [-1, 1.5, 2 ** 53, Number.NaN, "1", null])
      expect(id().safeParse(wrong).success).toBe(false);
    expect(id().safeParse(2 ** 53 - 1).success).toBe(true);
  });

  test("query values are read strictly", () => {
    for (const wrong of ["", "-1", "1e3", "0x1", " 1", "99999999999999999"]) {
      expect(idParam().safeParse(wrong).success).toBe(false);
    }
    expect(idParam().parse("0012")).toBe(12);
    expect(flagParam().safeParse("1").success).toBe(false);
    expect(flagParam().parse("true")).toBe(true);
    expect(idListParam(2).parse("")).toEqual([]);
    expect(idListParam(2).parse("1,2")).toEqual([1, 2]);
    expect(idListParam(2).safeParse("1,2,3").success).toBe(false);
    expect(idListParam(2).safeParse("1,,2").success).toBe(false);
  });
});
