import { expect, test } from "vitest";
import { FrameCounter } from "./frame-counter.ts";

const MASK = [1, 2, 3, 4];
/** A masked frame with this payload length, as its bytes on the wire. */
function frame(opcode: number, length: number): number[] {
  const header =
    length < 126
      ? [0x80 | length]
      : length < 65_536
        ? [0x80 | 126, length >> 8, length & 255]
        : [
            0x80 | 127,
            0,
            0,
            0,
            0,
            (length >> 24) & 255,
            (length >> 16) & 255,
            (length >> 8) & 255,
            length & 255,
          ];
  return [0x80 | opcode, ...header, ...MASK, ...Array.from({ length }, () => 0xff)];
}

const FRAMES = [frame(1, 0), frame(9, 3), frame(2, 125), frame(0, 126), frame(1, 70_000), frame(10, 0)];
const BYTES = Uint8Array.from(FRAMES.flat());

test.each([1, 2, 7, 1_000, BYTES.length])(
  "frames of all kinds and lengths are counted in chunks of %i bytes",
  (size) => {
    const counter = new FrameCounter();
    let count = 0;
    for (let at = 0; at < BYTES.length; at += size)
      count += counter.count(BYTES.subarray(at, at + size), Infinity);
    expect(count).toBe(FRAMES.length);
  },
);

test("frames without a mask are counted too", () => {
  expect(new FrameCounter().count(Uint8Array.of(0x81, 2, 0xff, 0xff, 0x89, 0, 0x81, 0), Infinity)).toBe(3);
});

test("counting ends with the first frame that is too many", () => {
  const pings = Uint8Array.from(Array.from({ length: 10_000 }, () => frame(9, 0)).flat());
  expect(new FrameCounter().count(pings, 20)).toBe(21);
});
