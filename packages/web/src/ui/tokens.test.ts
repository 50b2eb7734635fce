import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";

const css = readFileSync(new URL("./tokens.css", import.meta.url), "utf8");

type Theme = "light" | "dark";

/** `--name: light-dark(#light, #dark);` and `--name: #both;` */
const tokens = new Map<string, Record<Theme, string>>();
for (const [, name, light, dark] of css.matchAll(
  /--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);/g,
)) {
  tokens.set(name!, { light: light!, dark: dark! });
}
for (const [, name, both] of css.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)) {
  tokens.set(name!, { light: both!, dark: both! });
}

function colour(name: string, theme: Theme): string {
  const token = tokens.get(name);
  if (token === undefined) throw new Error(`tokens.css has no plain colour --${name}`);
  return token[theme];
}

/** Relative luminance, WCAG 2. */
function luminance(hex: string): number {
  const [red, green, blue] = [1, 3, 5].map((offset) => {
    const part = Number.parseInt(hex.slice(offset, offset + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

function contrast(a: string, b: string): number {
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (light! + 0.05) / (dark! + 0.05);
}

const GROUNDS = ["bg", "surface", "rail", "raised", "hover", "selected", "chat"];
const WORDS: readonly (readonly [string, readonly string[]])[] = [
  ["text", GROUNDS],
  ["text2", GROUNDS],
  ["text3", [...GROUNDS, "skeleton"]],
  ["accent-text", GROUNDS],
  ["danger", GROUNDS],
  ["link", [...GROUNDS, "bubble-in", "bubble-out"]],
  ["success", ["bg", "surface", "raised", "hover", "selected", "chat"]],
  ["warning", ["bg", "surface", "raised", "chat", "mention-bg"]],
  ["info", ["bg", "surface", "raised", "chat"]],
  ["unread", ["chat"]],
  ["on-accent", ["accent", "accent-hover"]],
  ["on-bubble-in", ["bubble-in"]],
  ["meta-in", ["bubble-in"]],
  ["accent-text", ["bubble-in", "bubble-out"]],
  ["on-bubble-out", ["bubble-out"]],
  ["meta-out", ["bubble-out"]],
  ["mention", ["mention-bg", "raised", "bubble-in"]],
  ["on-danger", ["danger"]],
  ["on-badge", ["badge"]],
  ["on-badge-muted", ["badge-muted"]],
  ["on-toast", ["toast"]],
  ["toast-accent", ["toast"]],
  ...[1, 2, 3, 4, 5, 6, 7, 8].map((tone) => [`name${tone}`, ["bubble-in", "chat"]] as const),
  ["av-ink", ["av1", "av2", "av3", "av4", "av5", "av6", "av7", "av8"]],
];
const GRAPHICS: readonly (readonly [string, readonly string[]])[] = [
  ["focus", [...GROUNDS, "bubble-in", "bubble-out"]],
  ["border-strong", ["bg", "surface", "raised", "chat"]],
  ["accent", GROUNDS],
  ["badge", GROUNDS],
  ["badge-muted", GROUNDS],
  ["online", GROUNDS],
  ["quote-bar", ["bubble-in", "bubble-out"]],
  ["toast-danger", ["toast"]],
];

describe.each(["light", "dark"] as const)("the %s theme", (theme) => {
  const pairs = (table: typeof WORDS) =>
    table.flatMap(([ink, grounds]) => grounds.map((ground) => ({ ink, ground })));

  test.each(pairs(WORDS))("shows words in $ink on $ground at 4.5 : 1 or more", ({ ink, ground }) => {
    expect(contrast(colour(ink, theme), colour(ground, theme))).toBeGreaterThanOrEqual(4.5);
  });

  test.each(pairs(GRAPHICS))("shows $ink on $ground at 3 : 1 or more", ({ ink, ground }) => {
    expect(contrast(colour(ink, theme), colour(ground, theme))).toBeGreaterThanOrEqual(3);
  });
});
