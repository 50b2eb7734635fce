import { describe, expect, test } from "vitest";
import { dragDepth, isPasteOfFiles } from "./transferred-files.ts";

describe("E4 what a paste is", () => {
  test("a picture without text is pasted as a file", () => {
    expect(isPasteOfFiles(["image.png"], "")).toBe(true);
    expect(isPasteOfFiles(["image.png"], " \n")).toBe(true);
  });

  test("cells of a spreadsheet are pasted as text", () => {
    expect(isPasteOfFiles(["image.png"], "1\t2\r\n3\t4")).toBe(false);
  });

  test("text without files is text", () => {
    expect(isPasteOfFiles([], "image.png")).toBe(false);
    expect(isPasteOfFiles([], "")).toBe(false);
  });

  test("files whose names are offered as text are files", () => {
    expect(isPasteOfFiles(["a b.pdf", "c.png"], "a b.pdf\nc.png")).toBe(true);
    expect(isPasteOfFiles(["a b.pdf"], "file:///home/ann/a%20b.pdf")).toBe(true);
    expect(isPasteOfFiles(["a.pdf"], "/home/ann/a.pdf\r\n")).toBe(true);
    expect(isPasteOfFiles(["a.pdf"], "a.pdf\nplease read")).toBe(false);
    expect(isPasteOfFiles(["a.pdf"], "file:///%E0%A4%A")).toBe(false);
  });
});

test("E5 a drag has left when it left as many elements as it entered", () => {
  let depth = 0;
  for (const event of ["enter", "enter", "leave", "enter", "leave"] as const) depth = dragDepth(depth, event);
  expect(depth).toBe(1);
  expect(dragDepth(depth, "leave")).toBe(0);
  expect(dragDepth(0, "leave")).toBe(0);
  expect(dragDepth(5, "end")).toBe(0);
});
