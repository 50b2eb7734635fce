import { expect, test } from "vitest";
import { voiceFormat } from "./voice-format.ts";

test("E12 voice is recorded as Opus in WebM, else in Ogg, else as MP4, else not at all", () => {
  const choice = (...supported: string[]) =>
    voiceFormat((type) => supported.includes(type))?.mimeType ?? null;
  expect(choice("audio/mp4", "audio/ogg;codecs=opus", "audio/webm;codecs=opus")).toBe("audio/webm");
  expect(choice("audio/mp4", "audio/ogg;codecs=opus")).toBe("audio/ogg");
  expect(choice("audio/mp4")).toBe("audio/mp4");
  expect(choice("audio/wav")).toBeNull();
});
