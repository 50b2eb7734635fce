import { beforeEach, describe, expect, test } from "vitest";
import { createImeGuard } from "./ime.ts";
import type { ImeGuard } from "./ime.ts";

const ENTER = { keyCode: 13, isComposing: false };

describe("a key belongs to the input method", () => {
  let now = 0;
  let guard: ImeGuard;
  beforeEach(() => {
    now = 1_000;
    guard = createImeGuard(() => now);
  });

  test("while composing, by the native event inside a React one", () => {
    expect(guard.isComposing({ keyCode: 13, nativeEvent: { isComposing: true } })).toBe(true);
    expect(guard.isComposing({ keyCode: 13, isComposing: true })).toBe(true);
  });

  test("when it is the 229 that Chrome sends for it", () => {
    expect(guard.isComposing({ keyCode: 229, isComposing: false })).toBe(true);
  });

  test("when it comes right after the composition ended, as in Safari", () => {
    guard.compositionEnded();
    now += 49;
    expect(guard.isComposing(ENTER)).toBe(true);
  });

  test("no longer after the key was released", () => {
    guard.compositionEnded();
    guard.keyReleased();
    expect(guard.isComposing(ENTER)).toBe(false);
  });

  test("no longer 50 ms after the end", () => {
    guard.compositionEnded();
    now += 50;
    expect(guard.isComposing(ENTER)).toBe(false);
  });

  test("never without a composition", () => {
    expect(guard.isComposing(ENTER)).toBe(false);
  });
});
