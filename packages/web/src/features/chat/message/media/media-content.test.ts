import { expect, test } from "vitest";
import { MessageType } from "@parley/protocol/codes";
import { downloadOf, fileOf } from "./media-content.ts";

test("B40 a file is shown and saved under a name that hides no extension", () => {
  const named = (name: string) => ({
    type: MessageType.FILE,
    content: JSON.stringify({ name, size: 1, url: "/files/x/file.bin" }),
  });
  for (const [name, shown] of [
    ["Plan.pdf", "Plan.pdf"],
    // Would be shown as "holiday-exe.jpg".
    ["holiday-\u202egpj.exe", "holiday-gpj.exe"],
    ["\u2066a\u2069\u200f.txt", "a.txt"],
    ["a\nb\u0085.txt", "ab.txt"],
    ["דוח 2026.pdf", "דוח 2026.pdf"],
    ["👩‍👩‍👧.png", "👩‍👩‍👧.png"],
  ] as const) {
    expect([fileOf(named(name))?.name, downloadOf(named(name))?.name]).toEqual([shown, shown]);
  }
});
