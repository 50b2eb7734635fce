import { describe, expect, test } from "vitest";
import { AWAY_AFTER_MS, READ_AFTER_MS, ReadTracker } from "./read-tracker.ts";

const attentive = { isVisible: true, isFocused: true, lastInput: 0 };

describe("the newest message that counts as read", () => {
  test("is the newest one whose end was visible for 300 ms", () => {
    const tracker = new ReadTracker();
    tracker.setVisible([4, 5], 0);
    tracker.setVisible([5, 6], 200);
    expect(tracker.readUpTo(READ_AFTER_MS - 1, attentive)).toBeNull();
    expect(tracker.readUpTo(READ_AFTER_MS, attentive)).toBe(5);
    expect(tracker.readUpTo(200 + READ_AFTER_MS, attentive)).toBe(6);
  });

  test("restarts its time when a message leaves the view", () => {
    const tracker = new ReadTracker();
    tracker.setVisible([9], 0);
    tracker.setVisible([], 100);
    tracker.setVisible([9], 200);
    expect(tracker.readUpTo(400, attentive)).toBeNull();
    expect(tracker.msUntilNext(400)).toBe(100);
    expect(tracker.readUpTo(500, attentive)).toBe(9);
    expect(tracker.msUntilNext(500)).toBeNull();
  });

  test("is null while the page is hidden, unfocused or without input for a minute", () => {
    const tracker = new ReadTracker();
    tracker.setVisible([1], 0);
    expect(tracker.readUpTo(1_000, { ...attentive, isVisible: false })).toBeNull();
    expect(tracker.readUpTo(1_000, { ...attentive, isFocused: false })).toBeNull();
    expect(tracker.readUpTo(AWAY_AFTER_MS + 1, attentive)).toBeNull();
    expect(tracker.readUpTo(AWAY_AFTER_MS + 1, { ...attentive, lastInput: AWAY_AFTER_MS })).toBe(1);
  });
});
