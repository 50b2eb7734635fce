import { describe, expect, test } from "vitest";
import { joinNames, splitNames } from "./tip-names.ts";

describe("names of a tip", () => {
  test("are joined by commas", () => {
    expect(joinNames(["Ann", "Bo"])).toBe("Ann,Bo");
    expect(splitNames("Ann,Bo")).toEqual(["Ann", "Bo"]);
  });

  test("survive whatever they hold", () => {
    for (const names of [
      [],
      ["Doe, John"],
      ["a,b", "c"],
      [",", "\\", "\\,", ",\\"],
      ["ends with \\", "begins"],
      ["\\\\,,\\", "王，小明"],
    ])
      expect(splitNames(joinNames(names))).toEqual(names);
  });

  test("of tips that were stored before may hold single backslashes", () => {
    expect(splitNames("C:\\temp,Bo")).toEqual(["C:\\temp", "Bo"]);
  });
});
