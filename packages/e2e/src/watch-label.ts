import { expect } from "@playwright/test";
import type { Person } from "./person.ts";

/**
 * From now on notes in the page whether an element has this label, because it may be gone again before a test looks on a busy machine.
 * Returns a function that waits until one was there.
 */
export async function watchLabel({ page }: Person, label: string): Promise<() => Promise<void>> {
  const watch = await page.evaluateHandle((wanted) => {
    const found = { isSeen: false };
    const observer = new MutationObserver(() => {
      found.isSeen ||= document.querySelector(`[aria-label="${CSS.escape(wanted)}"]`) !== null;
      if (found.isSeen) observer.disconnect();
    });
    observer.observe(document, { subtree: true, childList: true, attributeFilter: ["aria-label"] });
    return found;
  }, label);
  return async () => {
    await expect.poll(() => watch.evaluate(({ isSeen }) => isSeen), { message: label }).toBe(true);
  };
}
