import { describe, expect, it } from "vitest";
import { AWAY_AFTER_MS, READ_AFTER_MS, ReadTracker } from "./read-tracker.ts";

const here = { isVisible: true, isFocused: true, lastInput: 0 };

describe("what counts as read", () => {
  it("is the newest message whose end was visible for 300 ms", () => {
    const gate = new ReadTracker();
    gate.setVisible([4, 5], 0);
    gate.setVisible([5, 6], 200);
    expect(gate.readUpTo(READ_AFTER_MS - 1, here)).toBeNull();
    expect(gate.readUpTo(READ_AFTER_MS, here)).toBe(5);
    expect(gate.readUpTo(200 + READ_AFTER_MS, here)).toBe(6);
  });

  it("starts again when a message left the view", () => {
    const gate = new ReadTracker();
    gate.setVisible([9], 0);
    gate.setVisible([], 100);
    gate.setVisible([9], 200);
    expect(gate.readUpTo(400, here)).toBeNull();
    expect(gate.msUntilNext(400)).toBe(100);
    expect(gate.readUpTo(500, here)).toBe(9);
    expect(gate.msUntilNext(500)).toBeNull();
  });

  it("nothing while the page is hidden, unfocused or without input for a minute", () => {
    const gate = new ReadTracker();
    gate.setVisible([1], 0);
    expect(gate.readUpTo(1_000, { ...here, isVisible: false })).toBeNull();
    expect(gate.readUpTo(1_000, { ...here, isFocused: false })).toBeNull();
    expect(gate.readUpTo(AWAY_AFTER_MS + 1, here)).toBeNull();
    expect(gate.readUpTo(AWAY_AFTER_MS + 1, { ...here, lastInput: AWAY_AFTER_MS })).toBe(1);
  });
});
