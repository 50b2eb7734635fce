import { describe, expect, test } from "vitest";
import type { IdRange } from "../state.ts";
import { rangeAt, rangeBelow, addGap, addKnownRange, dropBelow } from "./known-ranges.ts";

const range = (from: number, to: number): IdRange => ({ from, to });
const known = (knownFrom: number, ...olderRanges: IdRange[]) => ({ knownFrom, olderRanges });

describe("M35 known ranges", () => {
  test("M35 a range apart from the others stays separate", () => {
    expect(addKnownRange(known(100), range(40, 60))).toEqual(known(100, range(40, 60)));
    expect(addKnownRange(known(100, range(40, 60)), range(10, 20))).toEqual(
      known(100, range(10, 20), range(40, 60)),
    );
  });

  test("M35 only the ends of a page are kept", () => {
    const page = { from: 40, to: 60, messages: ["secret"], isFromServer: true };
    expect(addKnownRange(known(100), page)).toEqual(known(100, range(40, 60)));
  });

  test("M35 ranges that touch are joined, and one that touches the newest range extends it downwards", () => {
    expect(addKnownRange(known(100, range(40, 60)), range(60, 70))).toEqual(known(100, range(40, 70)));
    expect(addKnownRange(known(100, range(40, 60)), range(20, 45))).toEqual(known(100, range(20, 60)));
    expect(addKnownRange(known(100, range(40, 60)), range(60, 100))).toEqual(known(40));
    expect(addKnownRange(known(100, range(40, 60)), range(50, Infinity))).toEqual(known(40));
    expect(addKnownRange(known(100, range(40, 60)), range(0, 101))).toEqual(known(0));
  });

  test("M35 ranges with a gap between them stay separate, even if it is one id wide", () => {
    expect(addKnownRange(known(100, range(40, 60)), range(61, 99))).toEqual(
      known(100, range(40, 60), range(61, 99)),
    );
  });

  test("M35 a page is read within one range only", () => {
    const sync = known(100, range(40, 60));
    expect(rangeBelow(sync, Infinity)).toEqual(range(100, Infinity));
    expect(rangeBelow(sync, 100)).toBeNull();
    expect(rangeBelow(sync, 60)).toEqual(range(40, 60));
    expect(rangeBelow(sync, 40)).toBeNull();
    expect(rangeAt(sync, 40)).toEqual(range(40, 60));
    expect(rangeAt(sync, 60)).toBeNull();
    expect(rangeAt(sync, 100)).toEqual(range(100, Infinity));
  });

  test("M35 a gap ends the newest range where the pulls had come to", () => {
    expect(addGap(known(0), 100, 50)).toEqual(known(100, range(0, 51)));
    expect(addGap(known(10, range(2, 5)), 100, 50)).toEqual(known(100, range(2, 5), range(10, 51)));
    expect(addGap(known(10), 100, 5)).toEqual(known(100));
    expect(addGap(known(100), 90, 50)).toEqual(known(100));
  });

  test("M35 evicted ids are no longer known", () => {
    expect(dropBelow(known(100, range(10, 20), range(40, 60)), 50)).toEqual(known(100, range(50, 60)));
    expect(dropBelow(known(100, range(10, 20)), 150)).toEqual(known(150));
  });
});
