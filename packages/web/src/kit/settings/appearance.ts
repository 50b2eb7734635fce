import { readPreference, usePreference, writePreference } from "./preferences.ts";

/** `system` follows the device until the person chooses. */
export type Theme = "light" | "dark" | "system";
export const THEMES: readonly Theme[] = ["light", "dark", "system"];

function currentTheme(): Theme {
  const saved = readPreference("theme");
  return saved === "light" || saved === "dark" ? saved : "system";
}

/** Applies the saved theme, as `head.js` does before the first paint, and sets the colour of the browser's frame. */
export function applyTheme(): void {
  const theme = currentTheme();
  const root = document.documentElement;
  if (theme === "system") delete root.dataset["theme"];
  else root.dataset["theme"] = theme;
  // Read the computed value of `light-dark()`, because the browser's frame takes plain colours only.
  const frame = getComputedStyle(root).backgroundColor;
  document.querySelector('meta[name="theme-color"]')?.setAttribute("content", frame);
}

/** Saves and applies a theme. */
export function setTheme(theme: Theme): void {
  writePreference("theme", theme === "system" ? null : theme);
  applyTheme();
}

/** The current theme. Renders again when it changes. */
export function useTheme(): Theme {
  return usePreference(currentTheme);
}

/** Steps of the size of all text (interface §3). */
export const TEXT_SIZES = ["0.9", "1", "1.15", "1.3"] as const;
export type TextSize = (typeof TEXT_SIZES)[number];

function currentTextSize(): TextSize {
  const saved = readPreference("textSize");
  return TEXT_SIZES.find((size) => size === saved) ?? "1";
}

/** Applies the saved text size, as `head.js` does before the first paint. */
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
