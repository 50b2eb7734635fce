import { loadTexts } from "../kit/i18n.ts";
import { loadSounds } from "../kit/pinyin.ts";

export const loadSwitcher = () => import("../features/switcher/switcher.tsx").then((part) => part.Switcher);

let isAsked = false;

/** Fetches what the switcher needs before it is asked for, once; whoever opens it meets a failure. */
export function preloadSwitcher(): void {
  if (isAsked) return;
  isAsked = true;
  for (const part of [loadSwitcher(), loadTexts("lazy"), loadSounds()]) part.catch(() => (isAsked = false));
}
