import { describe, expect, it } from "vitest";
import { textLength } from "./text-length.ts";

describe("the length of a text message", () => {
  it("blank text cannot be sent", () => {
    expect(textLength(" \n ").canSend).toBe(false);
    expect(textLength("好").canSend).toBe(true);
  });

  it("is shown in code points from 80 % of 1,024 on", () => {
    expect(textLength("a".repeat(819)).shown).toBeNull();
    expect(textLength("😀".repeat(820)).shown).toBe(820);
  });

  it("may be 1,024 code points, but not 1,025", () => {
    expect(textLength("😀".repeat(1_024))).toEqual({ canSend: true, isTooLong: false, shown: 1_024 });
    expect(textLength("a".repeat(1_025))).toEqual({ canSend: false, isTooLong: true, shown: 1_025 });
  });

  it("does not count blanks at both ends, which are not sent", () => {
    expect(textLength(`  ${"a".repeat(1_024)}\n`).canSend).toBe(true);
  });
});
