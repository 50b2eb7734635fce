import { expect, test } from "vitest";
import { muteEnd } from "./mute-times.ts";

const at = (day: number, hour: number, minute = 0) => new Date(2026, 11, day, hour, minute).getTime();

test.each([
  ["hour", at(1, 17, 5), at(1, 18, 5)],
  ["hours", at(1, 17, 5), at(2, 1, 5)],
  ["week", at(28, 17, 5), new Date(2027, 0, 4, 17, 5).getTime()],
  ["tomorrow", at(1, 17, 5), at(2, 9)],
  ["tomorrow", at(2, 0, 0), at(3, 9)],
  ["tomorrow", at(31, 23, 59), new Date(2027, 0, 1, 9).getTime()],
] as const)("MU6 muted for %s at %i, a chat is loud again at %i", (time, now, end) => {
  expect(muteEnd(time, now)).toBe(end);
});
