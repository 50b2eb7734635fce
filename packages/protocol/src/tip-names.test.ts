import { describe, expect, test } from "vitest";
import { joinNames, splitNames } from "./tip-names.ts";

describe("names of a tip", () => {
  test("are joined with commas", () => {
    expect(joinNames(["Ann", "Bo"])).toBe("Ann,Bo");
    expect(splitNames("Ann,Bo")).toEqual(["Ann", "Bo"]);
  });

  test("are the same after joining and splitting, whatever characters they contain", () => {
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

  test("of older tips may contain unescaped backslashes", () => {
    expect(splitNames("C:\\temp,Bo")).toEqual(["C:\\temp", "Bo"]);
  });
});
