import { describe, expect, test } from "vitest";
import { MessageType } from "@parley/protocol/codes";
import { fileKind, fileProblem, fileType, isPictureSize, isSeen } from "./file-kind.ts";

const MB = 1_048_576;
const kind = (name: string, type: string, size = 1_000) => fileKind({ name, type, size }, 20 * MB);

describe("as what a file is sent", () => {
  test.each([
    ["a.jpg", "image/jpeg"],
    ["a.png", "image/png"],
    ["a.webp", "image/webp"],
    ["a.gif", "image/gif"],
    ["a.avif", "image/avif"],
  ])("E1 %s of type %s is a picture", (name, type) => {
    expect(kind(name, type)).toBe(MessageType.IMAGE);
  });

  test.each([
    ["a.mp4", "video/mp4"],
    ["a.webm", "video/webm"],
    ["a.mov", "video/quicktime"],
    ["a.m4v", "video/x-m4v"],
    ["a.3gp", "video/3gpp"],
    ["a.3g2", "video/3gpp2"],
    ["a.mov", ""],
  ])("E1 %s of type %s is a video", (name, type) => {
    expect(kind(name, type)).toBe(MessageType.VIDEO);
  });

  test.each([
    ["a.heic", "image/heic"],
    ["a.svg", "image/svg+xml"],
    ["a.bmp", "image/bmp"],
    ["a.mkv", "video/x-matroska"],
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

  test.each([
    ["a.heic", ""],
    ["a.bmp", "image/bmp"],
    ["a.mkv", ""],
    ["a.avi", "video/x-msvideo"],
  ])("E1 people expect to see %s of type '%s'", (name, type) => {
    expect(isSeen({ name, type })).toBe(true);
  });

  test.each([
    ["a.pdf", "application/pdf"],
    ["a.flac", "audio/flac"],
    ["noext", ""],
  ])("E1 nobody expects to see %s of type '%s'", (name, type) => {
    expect(isSeen({ name, type })).toBe(false);
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
