import { describe, expect, test } from "vitest";
import { encoderLimits } from "./encoder-limits.ts";

const encoderLimit = (people: number, isScreen?: boolean) => encoderLimits(people, isScreen)[0];

describe("the picture that is sent", () => {
  test("GC62 two people send the full picture, and so does somebody who waits for the first one", () => {
    const full = { height: 720, framesPerSecond: 30, bitsPerSecond: 1_500_000 };
    expect(encoderLimit(2)).toEqual(full);
    expect(encoderLimit(1)).toEqual(full);
  });

  test("GC63 with each person more the picture becomes smaller, so that one person sends at most 1.6 Mbit/s", () => {
    for (let people = 3; people <= 9; people++) {
      const [before, now] = [encoderLimit(people - 1), encoderLimit(people)];
      expect(now.bitsPerSecond).toBeLessThan(before.bitsPerSecond);
      expect(now.height).toBeLessThanOrEqual(before.height);
      expect(now.framesPerSecond).toBeLessThanOrEqual(before.framesPerSecond);
      expect(now.bitsPerSecond * (people - 1)).toBeLessThan(1_600_000);
    }
    expect(encoderLimit(9)).toEqual({ height: 180, framesPerSecond: 12, bitsPerSecond: 110_000 });
  });

  test("GC64 more than nine people send what nine send", () => {
    expect(encoderLimit(12)).toEqual(encoderLimit(9));
  });

  test("GC65 a shared screen stays large and gets five pictures a second; of many people each gets fewer bits", () => {
    const screen = { height: 720, framesPerSecond: 5, bitsPerSecond: 800_000 };
    expect(encoderLimit(2, true)).toEqual(screen);
    expect(encoderLimit(4, true)).toEqual(screen);
    expect(encoderLimit(5, true)).toEqual({ ...screen, bitsPerSecond: 350_000 });
  });

  test("GC69 a person who cannot send it sends what one person more would get, down to the smallest", () => {
    const [, ...lower] = encoderLimits(4);
    expect(lower).toEqual([5, 6, 7, 8, 9].map((people) => encoderLimit(people)));
    expect(encoderLimits(9)).toHaveLength(1);
    expect(encoderLimits(2, true).slice(1)).toEqual([encoderLimit(5, true)]);
    expect(encoderLimits(5, true)).toHaveLength(1);
  });
});
