import { loadTexts } from "../kit/i18n.ts";
import { loadSounds } from "../kit/pinyin.ts";

/** The switcher with its texts. */
export async function loadSwitcher() {
  const [Switcher] = await Promise.all([
    import("../features/search/switcher.tsx").then((part) => part.Switcher),
    loadTexts("late"),
  ]);
  return { default: Switcher };
}

let isAsked = false;

/** Fetches what the switcher needs before it is asked for, once; whoever opens it meets a failure. */
export function preloadSwitcher(): void {
  if (isAsked) return;
  isAsked = true;
  for (const part of [loadSwitcher(), loadSounds()]) part.catch(() => (isAsked = false));
}
