import { isId } from "@parley/protocol/text";
import { expect, test } from "vitest";
import { parseObject } from "../parse-object.ts";
import {
  callResultOf,
  flagOf,
  numberOr,
  numbersOf,
  quoteOf,
  textOf,
  textOrNull,
  timeOrNull,
  tipOf,
} from "./wire-fields.ts";

test("I38 an id is a non-negative integer", () => {
  expect([0, 1, Number.MAX_SAFE_INTEGER].map(isId)).toEqual([true, true, true]);
  expect([-1, 0.5, NaN, Infinity, "1", null, undefined].some(isId)).toBe(false);
});

test("I38 fields of the wrong type become their default", () => {
  expect([true, false, 1, "true"].map(flagOf)).toEqual([true, false, false, false]);
  expect(["a", "", 5, null].map(textOf)).toEqual(["a", "", "", ""]);
  expect(["a", "", 5, undefined].map(textOrNull)).toEqual(["a", "", null, null]);
  expect([0, 8.64e15, 8.64e15 + 1, NaN, "5"].map(timeOrNull)).toEqual([0, 8.64e15, null, null, null]);
  expect([0, NaN, Infinity, "5"].map((value) => numberOr(value, 7))).toEqual([0, 7, 7, 7]);
  expect(numbersOf([1, "2", null, -1])).toEqual([1, -1]);
  expect(numbersOf("12")).toEqual([]);
});

test("I38 a quote with an invalid field becomes null", () => {
  const quote = { id: 0, sendId: 2, type: -1, status: 1, content: "" };
  expect(quoteOf(quote)).toEqual(quote);
  for (const part of [{ id: -1 }, { sendId: -1 }, { type: 0.5 }, { status: "1" }, { content: null }])
    expect(quoteOf({ ...quote, ...part })).toBeNull();
  for (const none of [null, undefined, "x"]) expect(quoteOf(none)).toBeNull();
});

test("I38 a tip with an invalid field becomes null", () => {
  const tip = { key: "recalled", params: { name: "Ann", nothing: null } };
  expect(tipOf(tip)).toEqual({ key: "recalled", params: { name: "Ann" } });
  for (const part of [{ key: 5 }, { params: null }, { params: "x" }, { params: { name: {} } }])
    expect(tipOf({ ...tip, ...part })).toBeNull();
  expect([tipOf(null), tipOf(undefined)]).toEqual([null, null]);
});

test("I38 a call result with an invalid field becomes null", () => {
  const callResult = { result: "ended", seconds: 0 };
  expect(callResultOf(callResult)).toEqual(callResult);
  for (const part of [{ result: 5 }, { seconds: NaN }, { seconds: "5" }])
    expect(callResultOf({ ...callResult, ...part })).toBeNull();
  expect([callResultOf(null), callResultOf(undefined)]).toEqual([null, null]);
});

test("I38 only the text of a JSON object is parsed as one", () => {
  expect(parseObject('{"a":1}')).toEqual({ a: 1 });
  for (const text of [undefined, "", "{", "null", "5", '"a"', "[1]"]) expect(parseObject(text)).toBeNull();
});
