import { describe, expect, test } from "vitest";
import { MessageType } from "@parley/protocol/codes";
import { fileKind, fileProblem, fileType, isPictureSize } from "./file-kind.ts";

const MB = 1_048_576;
const kind = (name: string, type: string, size = 1_000) => fileKind({ name, type, size }, 20 * MB);

describe("as what a file is sent", () => {
  test.each([
    ["a.jpg", "image/jpeg"],
    ["a.png", "image/png"],
    ["a.webp", "image/webp"],
    ["a.gif", "image/gif"],
  ])("E1 %s of type %s is a picture", (name, type) => {
    expect(kind(name, type)).toBe(MessageType.IMAGE);
  });

  test.each([
    ["a.mp4", "video/mp4"],
    ["a.webm", "video/webm"],
  ])("E1 %s of type %s is a video", (name, type) => {
    expect(kind(name, type)).toBe(MessageType.VIDEO);
  });

  test.each([
    ["a.heic", "image/heic"],
    ["a.svg", "image/svg+xml"],
    ["a.bmp", "image/bmp"],
    ["a.mov", "video/quicktime"],
    ["a.pdf", "application/pdf"],
    ["a.webm", "audio/webm"],
    ["noext", ""],
  ])("E1 %s of type %s is a file", (name, type) => {
    expect(kind(name, type)).toBe(MessageType.FILE);
  });

  test("E1 a picture above the server's limit is a file, one of exactly the limit a picture; videos have no such limit", () => {
    expect(kind("a.png", "image/png", 20 * MB)).toBe(MessageType.IMAGE);
    expect(kind("a.png", "image/png", 20 * MB + 1)).toBe(MessageType.FILE);
    expect(kind("a.mp4", "video/mp4", 90 * MB)).toBe(MessageType.VIDEO);
  });

  test("E1 the browser's type counts, and the name only without one", () => {
    expect(kind("a.JPG", "")).toBe(MessageType.IMAGE);
    expect(kind("clip.webm", "")).toBe(MessageType.VIDEO);
    expect(kind("a.jpg", "application/pdf")).toBe(MessageType.FILE);
    expect(fileType({ name: "a.PNG", type: "" })).toBe("image/png");
    expect(fileType({ name: "a.png", type: "IMAGE/GIF" })).toBe("image/gif");
  });

  test("E1 a picture of more than 50 megapixels or without pixels is none", () => {
    expect(isPictureSize(10_000, 5_000)).toBe(true);
    expect(isPictureSize(10_001, 5_000)).toBe(false);
    expect(isPictureSize(0, 5_000)).toBe(false);
  });
});

test("E2 an empty file and one above the limit are refused, one of exactly the limit is not", () => {
  expect(fileProblem({ size: 0 }, MB)).toBe("empty");
  expect(fileProblem({ size: 1 }, MB)).toBeNull();
  expect(fileProblem({ size: MB }, MB)).toBeNull();
  expect(fileProblem({ size: MB + 1 }, MB)).toBe("tooLarge");
});
