import { describe, expect, it } from "vitest";
import { AWAY_AFTER_MS, SEEN_AFTER_MS, SeenGate } from "./seen-gate.ts";

const here = { isVisible: true, isFocused: true, lastInput: 0 };

describe("what counts as read", () => {
  it("is the newest message whose end was in view for 300 ms", () => {
    const gate = new SeenGate();
    gate.show([4, 5], 0);
    gate.show([5, 6], 200);
    expect(gate.seen(SEEN_AFTER_MS - 1, here)).toBeNull();
    expect(gate.seen(SEEN_AFTER_MS, here)).toBe(5);
    expect(gate.seen(200 + SEEN_AFTER_MS, here)).toBe(6);
  });

  it("starts again when a message left the view", () => {
    const gate = new SeenGate();
    gate.show([9], 0);
    gate.show([], 100);
    gate.show([9], 200);
    expect(gate.seen(400, here)).toBeNull();
    expect(gate.wait(400)).toBe(100);
    expect(gate.seen(500, here)).toBe(9);
    expect(gate.wait(500)).toBeNull();
  });

  it("is nothing while the page is hidden, unfocused or left alone for a minute", () => {
    const gate = new SeenGate();
    gate.show([1], 0);
    expect(gate.seen(1_000, { ...here, isVisible: false })).toBeNull();
    expect(gate.seen(1_000, { ...here, isFocused: false })).toBeNull();
    expect(gate.seen(AWAY_AFTER_MS + 1, here)).toBeNull();
    expect(gate.seen(AWAY_AFTER_MS + 1, { ...here, lastInput: AWAY_AFTER_MS })).toBe(1);
  });
});
