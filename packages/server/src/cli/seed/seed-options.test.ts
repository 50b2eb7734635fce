import { expect, test } from "vitest";
import { readSeedOptions, SeedOptionsError } from "./seed-options.ts";

test("without an option the demo data is asked for", () => {
  expect(readSeedOptions([])).toEqual({ messages: null });
});

test("a long chat has as many messages as the number says, one million without a number", () => {
  expect(readSeedOptions(["--messages", "2000"])).toEqual({ messages: 2_000 });
  expect(readSeedOptions(["--messages=10000000"])).toEqual({ messages: 10_000_000 });
  expect(readSeedOptions(["--messages"])).toEqual({ messages: 1_000_000 });
});

test.each(["0", "-5", "1.5", "1e6", "many", "", "10000001", "99999999999999"])(
  "the number of messages %j is refused with what is allowed",
  (text) => {
    expect(() => readSeedOptions([`--messages=${text}`])).toThrow(SeedOptionsError);
    expect(() => readSeedOptions([`--messages=${text}`])).toThrow(
      `--messages must be a whole number from 1 to 10000000, not "${text}"`,
    );
  },
);

test.each([["--message", "5"], ["5"], ["--messages", "5", "6"]])(
  "the arguments %j %j are refused",
  (...args) => {
    expect(() => readSeedOptions(args)).toThrow(SeedOptionsError);
    expect(() => readSeedOptions(args)).toThrow("usage: npm run seed");
  },
);
