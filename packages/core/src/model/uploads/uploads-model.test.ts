import { MessageType } from "@parley/protocol/codes";
import type { SystemConfig } from "@parley/protocol/entities";
import { audioContent, fileContent, imageContent, videoContent } from "@parley/protocol/message";
import { describe, expect, test } from "vitest";
import type { DraftFile, PendingUpload } from "../state.ts";
import { DRAFT_FILES_MAX, withDraftFiles, withMovedDraftFile } from "./draft-files.ts";
import { withoutDraftFile } from "./draft-files.ts";
import { filesToForget } from "./files-to-forget.ts";
import { sentFileName, uploadedContent } from "./upload-content.ts";
import { sizeFailure } from "./upload-limits.ts";

const UPLOAD: PendingUpload = {
  name: "a.bin",
  size: 7,
  mimeType: "",
  width: 4,
  height: 3,
  duration: null,
  wave: null,
};
const IMAGE = { originUrl: "/files/x/a.png", thumbUrl: "/files/x/a.webp", width: 400, height: 300 };
const VIDEO = { videoUrl: "/files/x/a.mp4", coverUrl: "/files/x/a.webp", width: 640, height: 360 };

function contentOf(uploaded: Parameters<typeof uploadedContent>[0], upload: Partial<PendingUpload> = {}) {
  return JSON.parse(uploadedContent(uploaded, { ...UPLOAD, ...upload })) as unknown;
}

describe("U40 the content of a message", () => {
  test("of a picture is the answer of the server", () => {
    const content = contentOf({ type: MessageType.IMAGE, answer: IMAGE });
    expect(content).toEqual(IMAGE);
    expect(imageContent.parse(content)).toEqual(IMAGE);
    const withPlaceholder = { ...IMAGE, placeholder: "AAAA" };
    expect(contentOf({ type: MessageType.IMAGE, answer: withPlaceholder })).toEqual(withPlaceholder);
  });

  test("of a file has its name and size", () => {
    const content = contentOf({ type: MessageType.FILE, answer: "/files/x/a.bin" });
    expect(content).toEqual({ name: "a.bin", size: 7, url: "/files/x/a.bin" });
    expect(fileContent.parse(content)).toEqual(content);
  });

  test("of a voice message has its duration and, if known, its bars", () => {
    const uploaded = { type: MessageType.AUDIO, answer: "/files/x/v.webm" } as const;
    const wave = "0f".repeat(16);
    expect(contentOf(uploaded, { duration: 3 })).toEqual({ duration: 3, url: "/files/x/v.webm" });
    const content = contentOf(uploaded, { duration: 3, wave });
    expect(content).toEqual({ duration: 3, url: "/files/x/v.webm", wave });
    expect(audioContent.parse(content)).toEqual(content);
  });

  test("of a video has the size of its cover and, if known, its duration", () => {
    const uploaded = { type: MessageType.VIDEO, answer: { ...VIDEO, placeholder: "AAAA" } } as const;
    expect(contentOf({ type: MessageType.VIDEO, answer: VIDEO })).toEqual(VIDEO);
    const content = contentOf(uploaded, { duration: 12.5 });
    expect(content).toEqual({ ...VIDEO, placeholder: "AAAA", duration: 12.5 });
    expect(videoContent.parse(content)).toEqual(content);
  });
});

describe("U41 the name of a file", () => {
  test.each([
    ["is sent as it is", "Bericht 2026 – 最终.pdf", "Bericht 2026 – 最终.pdf"],
    ["loses NUL and lone surrogates", "a\0b\ud800.txt", "ab.txt"],
    ["keeps emoji", "😀.png", "😀.png"],
    ["is cut before its extension", `${"x".repeat(300)}.tar`, `${"x".repeat(251)}.tar`],
    ["is cut by letters, not by units", "😀".repeat(300), "😀".repeat(255)],
    [
      "is cut at its end if what follows the dot is long",
      `${"x".repeat(300)}.${"y".repeat(20)}`,
      "x".repeat(255),
    ],
  ])("%s", (_, name, sent) => {
    expect(sentFileName(name)).toBe(sent);
  });
});

describe("U9 a file above the limit of the server", () => {
  const config = { upload: { imageMax: 2_097_152, fileMax: 5_242_880 } } as SystemConfig;

  test.each([
    [MessageType.IMAGE, 2_097_152, null],
    [MessageType.IMAGE, 2_097_153, 2],
    [MessageType.FILE, 5_242_880, null],
    [MessageType.AUDIO, 5_242_881, 5],
    [MessageType.VIDEO, 5_242_881, 5],
  ])("of type %i and %i bytes is refused with %s MB", (type, size, max) => {
    const failure = sizeFailure(type, size, config);
    const refusal = { kind: "refused", code: 500, key: "upload.tooLarge", params: { max }, message: "" };
    expect(failure).toEqual(max === null ? null : refusal);
  });

  test("is left to the server while its limits are not known", () => {
    expect(sizeFailure(MessageType.FILE, 1e15, null)).toBeNull();
  });
});

describe("files that are only kept to be shown", () => {
  const file = (n: number, size = 1) => ({ tmpId: String(n), size });

  test("U30 the newest 50 stay", () => {
    const files = Array.from({ length: 53 }, (_, n) => file(n));
    expect(filesToForget(files)).toEqual(["0", "1", "2"]);
  });

  test("U30 200 MB stay", () => {
    const files = [file(0, 10), file(1, 100 * 1_048_576), file(2, 100 * 1_048_576)];
    expect(filesToForget(files)).toEqual(["0"]);
    expect(filesToForget(files.slice(1))).toEqual([]);
  });

  test("U31 the newest one stays, however large", () => {
    expect(filesToForget([file(0), file(1, 1e12)])).toEqual(["0"]);
  });
});

describe("files of a draft", () => {
  const draftFile = (id: string): DraftFile => {
    const { wave: _wave, ...upload } = UPLOAD;
    return { id, type: MessageType.FILE, ...upload };
  };
  const files = ["a", "b", "c"].map(draftFile);
  const ids = (list: readonly DraftFile[]) => list.map(({ id }) => id).join("");

  test("U50 new ones come last, and those above the limit are left out", () => {
    expect(ids(withDraftFiles(files, [draftFile("d")]))).toBe("abcd");
    const many = Array.from({ length: 30 }, (_, n) => draftFile(String(n)));
    expect(withDraftFiles(files, many)).toHaveLength(DRAFT_FILES_MAX);
  });

  test.each([
    ["a", 2, "bca"],
    ["a", 1, "bac"],
    ["c", 0, "cab"],
    ["b", -5, "bac"],
    ["b", 99, "acb"],
    ["x", 0, "abc"],
  ])("U50 %s moved to %i gives %s", (id, index, expected) => {
    expect(ids(withMovedDraftFile(files, id, index))).toBe(expected);
  });

  test("U50 one that is removed is gone; removing another one changes nothing", () => {
    expect(ids(withoutDraftFile(files, "b"))).toBe("ac");
    expect(withoutDraftFile(files, "x")).toBe(files);
  });
});
