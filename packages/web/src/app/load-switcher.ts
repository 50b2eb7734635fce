import { loadTexts } from "../kit/i18n.ts";
import { loadSounds } from "../kit/pinyin.ts";

export async function loadSwitcher() {
  const [part] = await Promise.all([import("../features/search/switcher.tsx"), loadTexts("late")]);
  return part;
}

let isAsked = false;

/** Fetches what the switcher needs before it is asked for, once; whoever opens it meets a failure. */
export function preloadSwitcher(): void {
  if (isAsked) return;
  isAsked = true;
  for (const part of [loadSwitcher(), loadSounds()]) part.catch(() => (isAsked = false));
}
