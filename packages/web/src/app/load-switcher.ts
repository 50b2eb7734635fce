import { loadSounds } from "../kit/pinyin.ts";

/** Loads the quick switcher. */
export const loadSwitcher = () =>
  import("../features/switcher/switcher.tsx").then((module) => module.Switcher);

let isRequested = false;

/** Loads the switcher and the pinyin table in advance, once. A failure shows when the switcher is opened. */
export function preloadSwitcher(): void {
  if (isRequested) return;
  isRequested = true;
  for (const loading of [loadSwitcher(), loadSounds()]) loading.catch(() => (isRequested = false));
}
