import type { Locator } from "@playwright/test";

/** Waits until an element and its content have stopped moving, because an opening animation moves what is measured. */
export async function waitForAnimations(element: Locator): Promise<void> {
  await element.evaluate((box) => {
    // A spinner turns for ever.
    const ending = box
      .getAnimations({ subtree: true })
      .filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
    // An animation that is replaced by another never finishes.
    return Promise.allSettled(ending.map(({ finished }) => finished));
  });
}
