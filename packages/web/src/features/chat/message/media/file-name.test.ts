import { expect, test } from "vitest";
import { extensionOf, fileGroup, nameWidth, splitFileName } from "./file-name.tsx";

test.each([
  ["Plan.pdf", ["", "Plan.pdf"]],
  ["quarterly report final v12.xlsx", ["quarterly report final", " v12.xlsx"]],
  ["青瓦_验收清单_第六版.xlsx", ["青瓦_验收清单", "_第六版.xlsx"]],
  ["a name without any extension", ["a name without any exten", "sion"]],
  ["🎉🎉🎉🎉🎉🎉.png", ["🎉🎉", "🎉🎉🎉🎉.png"]],
  ["", ["", ""]],
])("B10 the name %j is cut in its middle and keeps its extension", (name, [head, tail]) => {
  expect(splitFileName(name)).toEqual([head, tail]);
});

test("B10 an extension is what follows the last dot, if it is short", () => {
  expect(
    ["a.tar.gz", "A.PDF", ".bashrc", "a.", "version 1.2 of it", "x.averyverylongextension"].map(extensionOf),
  ).toEqual(["gz", "pdf", "", "", "", ""]);
});

test("B10 the icon follows the extension", () => {
  expect(["a.zip", "b.XLSX", "c.pdf", "d.constructor", "e", "f.mp4", "g.ts"].map(fileGroup)).toEqual([
    "archive",
    "sheet",
    "document",
    "other",
    "other",
    "video",
    "code",
  ]);
});

test("the width of a name counts Han letters twice", () => {
  expect(["", "a.txt", "报告.pdf", "😀.gif"].map(nameWidth)).toEqual([0, 5, 8, 6]);
});
