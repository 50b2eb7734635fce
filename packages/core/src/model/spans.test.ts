import { describe, expect, test } from "vitest";
import type { Span } from "./state.ts";
import { spanAt, spanBelow, withGap, withKnown, withoutBelow } from "./spans.ts";

const span = (from: number, to: number): Span => ({ from, to });
const known = (knownFrom: number, ...islands: Span[]) => ({ knownFrom, islands });

describe("M35 what the disk holds without holes", () => {
  test("M35 a part that was told apart from others is an island", () => {
    expect(withKnown(known(100), span(40, 60))).toEqual(known(100, span(40, 60)));
    expect(withKnown(known(100, span(40, 60)), span(10, 20))).toEqual(known(100, span(10, 20), span(40, 60)));
  });

  test("M35 of a page its ends alone are noted, and none of its messages", () => {
    const page = { from: 40, to: 60, messages: ["secret"], isFresh: true };
    expect(withKnown(known(100), page)).toEqual(known(100, span(40, 60)));
  });

  test("M35 parts that touch become one, and one that touches the head lowers it", () => {
    expect(withKnown(known(100, span(40, 60)), span(60, 70))).toEqual(known(100, span(40, 70)));
    expect(withKnown(known(100, span(40, 60)), span(20, 45))).toEqual(known(100, span(20, 60)));
    expect(withKnown(known(100, span(40, 60)), span(60, 100))).toEqual(known(40));
    expect(withKnown(known(100, span(40, 60)), span(50, Infinity))).toEqual(known(40));
    expect(withKnown(known(100, span(40, 60)), span(0, 101))).toEqual(known(0));
  });

  test("M35 parts with a hole between stay apart, also when it is one id wide", () => {
    expect(withKnown(known(100, span(40, 60)), span(61, 99))).toEqual(known(100, span(40, 60), span(61, 99)));
  });

  test("M35 a page is read within one part only", () => {
    const book = known(100, span(40, 60));
    expect(spanBelow(book, Infinity)).toEqual(span(100, Infinity));
    expect(spanBelow(book, 100)).toBeNull();
    expect(spanBelow(book, 60)).toEqual(span(40, 60));
    expect(spanBelow(book, 40)).toBeNull();
    expect(spanAt(book, 40)).toEqual(span(40, 60));
    expect(spanAt(book, 60)).toBeNull();
    expect(spanAt(book, 100)).toEqual(span(100, Infinity));
  });

  test("M35 a gap ends the old head where the pulls had come", () => {
    expect(withGap(known(0), 100, 50)).toEqual(known(100, span(0, 51)));
    expect(withGap(known(10, span(2, 5)), 100, 50)).toEqual(known(100, span(2, 5), span(10, 51)));
    expect(withGap(known(10), 100, 5)).toEqual(known(100));
    expect(withGap(known(100), 90, 50)).toEqual(known(100));
  });

  test("M35 what the disk drops is known no more", () => {
    expect(withoutBelow(known(100, span(10, 20), span(40, 60)), 50)).toEqual(known(100, span(50, 60)));
    expect(withoutBelow(known(100, span(10, 20)), 150)).toEqual(known(150));
  });
});
