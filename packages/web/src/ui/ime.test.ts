import { beforeEach, describe, expect, test } from "vitest";
import { createImeGuard } from "./ime.ts";
import type { ImeGuard } from "./ime.ts";

const ENTER = { keyCode: 13, isComposing: false };

describe("the IME guard", () => {
  let now = 0;
  let guard: ImeGuard;
  beforeEach(() => {
    now = 1_000;
    guard = createImeGuard(() => now);
  });

  test("detects a key during a composition, in native and in React events", () => {
    expect(guard.isComposing({ keyCode: 13, nativeEvent: { isComposing: true } })).toBe(true);
    expect(guard.isComposing({ keyCode: 13, isComposing: true })).toBe(true);
  });

  test("detects the key code 229 that Chrome sends during a composition", () => {
    expect(guard.isComposing({ keyCode: 229, isComposing: false })).toBe(true);
  });

  test("detects a key right after the end of a composition, as in Safari", () => {
    guard.compositionEnded();
    now += 49;
    expect(guard.isComposing(ENTER)).toBe(true);
  });

  test("lets a key pass after the key that ended the composition was released", () => {
    guard.compositionEnded();
    guard.keyReleased();
    expect(guard.isComposing(ENTER)).toBe(false);
  });

  test("lets a key pass 50 ms after the end of a composition", () => {
    guard.compositionEnded();
    now += 50;
    expect(guard.isComposing(ENTER)).toBe(false);
  });

  test("lets a key pass without a composition", () => {
    expect(guard.isComposing(ENTER)).toBe(false);
  });
});
