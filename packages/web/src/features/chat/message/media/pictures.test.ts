import { expect, test } from "vitest";
import { isAnimatedWebp } from "./pictures.tsx";

function webp(chunk: string, flags: number): Uint8Array {
  const head = new TextEncoder().encode(`RIFF\0\0\0\0WEBP${chunk}\n\0\0\0 `);
  head[20] = flags;
  return head;
}

test("B6 a WebP is animated if its extended header says so", () => {
  expect(isAnimatedWebp(webp("VP8X", 0x02))).toBe(true);
  expect(isAnimatedWebp(webp("VP8X", 0x12))).toBe(true);
  expect(isAnimatedWebp(webp("VP8X", 0x10))).toBe(false);
  expect(isAnimatedWebp(webp("VP8 ", 0x02))).toBe(false);
  expect(isAnimatedWebp(webp("VP8X", 0x02).subarray(0, 20))).toBe(false);
  expect(isAnimatedWebp(new Uint8Array())).toBe(false);
});
