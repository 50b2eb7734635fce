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

/** What each browser answers to the types that are tried. */
const BROWSERS: readonly (readonly [
  browser: string,
  supported: readonly string[],
  extension: string | null,
])[] = [
  ["Chrome on computers", ["audio/webm;codecs=opus", "audio/mp4"], "webm"],
  ["an older Chrome", ["audio/webm;codecs=opus"], "webm"],
  ["Firefox", ["audio/webm;codecs=opus", "audio/ogg;codecs=opus"], "webm"],
  ["Firefox before 79", ["audio/ogg;codecs=opus"], "ogg"],
  ["Safari 18.4", ["audio/webm;codecs=opus", "audio/mp4"], "webm"],
  ["an older Safari", ["audio/mp4"], "m4a"],
  ["a browser without these codecs", [], null],
];

test.each(BROWSERS)(
  "E12 %s records in the first type of the order that it supports",
  (_, supported, extension) => {
    const asked: string[] = [];
    const format = voiceFormat((type) => {
      asked.push(type);
      return supported.includes(type);
    });
    expect(format?.extension ?? null).toBe(extension);
    const order = ["audio/webm;codecs=opus", "audio/ogg;codecs=opus", "audio/mp4"];
    expect(asked).toEqual(order.slice(0, asked.length));
  },
);
