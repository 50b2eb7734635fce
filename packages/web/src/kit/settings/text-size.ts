import { readPreference, usePreference, writePreference } from "./preferences.ts";

/** Steps of the size of all text (interface §3). */
export const TEXT_SIZES = ["0.9", "1", "1.15", "1.3"] as const;
export type TextSize = (typeof TEXT_SIZES)[number];

function currentTextSize(): TextSize {
  const saved = readPreference("textSize");
  return TEXT_SIZES.find((size) => size === saved) ?? "1";
}

/** Applies the saved text size, as `theme.js` does before the first paint. */
export function applyTextSize(): void {
  const size = currentTextSize();
  const { style } = document.documentElement;
  if (size === "1") style.removeProperty("--text-scale");
  else style.setProperty("--text-scale", size);
}

/** Saves and applies a text size. */
export function setTextSize(size: TextSize): void {
  writePreference("textSize", size === "1" ? null : size);
  applyTextSize();
}

/** The current text size. Renders again when it changes. */
export function useTextSize(): TextSize {
  return usePreference(currentTextSize);
}
