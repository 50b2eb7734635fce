import { describe, expect, test } from "vitest";
import { TableDigest } from "./table-digest.ts";

function digestOf(...rows: unknown[][]): string {
  const digest = new TableDigest();
  for (const row of rows) digest.add(row);
  return `${digest.count} ${digest.checksum}`;
}

describe("the digest of a table", () => {
  test("is the same for the same rows in another order", () => {
    expect(digestOf([1, "a"], [2, "b"], [3, null])).toBe(digestOf([3, null], [1, "a"], [2, "b"]));
  });

  test("is the same for an integer of either database", () => {
    expect(digestOf([9_007_199_254_740_991n])).toBe(digestOf([9_007_199_254_740_991]));
  });

  test.each([
    ["null and an empty text", [null], [""]],
    ["null and its name", [null], ["null"]],
    ["a number and its digits", [1], ["1"]],
    ["bytes and their hexadecimal text", [Buffer.from("a")], ["61"]],
    ["neighbouring large integers", [9_007_199_254_740_993n], [9_007_199_254_740_992n]],
    ["values that are divided in another way", ["a", "b"], ["a,text1:b"]],
    ["values in another order", ["a", "b"], ["b", "a"]],
    ["composed and decomposed characters", ["é"], ["e\u0301"]],
    ["a text and one with a space behind it", ["a"], ["a "]],
  ])("differs between %s", (_what, one, other) => {
    expect(digestOf(one)).not.toBe(digestOf(other));
  });

  test("differs if a row is there twice, once or not at all", () => {
    expect(new Set([digestOf(), digestOf(["a"]), digestOf(["a"], ["a"])]).size).toBe(3);
  });

  test("refuses what no database should give, so that a new type of column cannot be compared wrongly", () => {
    expect(() => digestOf([true])).toThrow(TypeError);
    expect(() => digestOf([new Date(0)])).toThrow(TypeError);
    expect(() => digestOf([undefined])).toThrow(TypeError);
  });
});
