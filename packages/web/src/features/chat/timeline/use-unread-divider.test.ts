import { describe, expect, test } from "vitest";
import { dividerAfterArrivals, initialDivider, withoutDivider } from "./use-unread-divider.ts";

const isWatching = () => true;
const isNotWatching = () => false;

describe("the unread divider", () => {
  test("is above the first unread message when a chat opens", () => {
    expect(initialDivider([11, 13], 10)).toEqual({ after: 10, newest: 13 });
    expect(initialDivider([], 13)).toEqual({ after: null, newest: 13 });
  });

  test("stays in place while the user reads new messages", () => {
    const divider = initialDivider([11, 13], 10);
    expect(dividerAfterArrivals(divider, [14], isWatching)).toEqual({ after: 10, newest: 14 });
  });

  test("stays where it is while older messages below it are unread", () => {
    const divider = initialDivider([11, 13], 10);
    expect(dividerAfterArrivals(divider, [13, 14], isNotWatching).after).toBe(10);
  });

  test("moves above messages that arrived while the user was not watching", () => {
    const divider = initialDivider([11, 13], 10);
    expect(dividerAfterArrivals(divider, [15, 16], isNotWatching)).toEqual({ after: 14, newest: 16 });
  });

  test("is removed when the user sends a message", () => {
    expect(withoutDivider(initialDivider([1], 0)).after).toBeNull();
  });
});
