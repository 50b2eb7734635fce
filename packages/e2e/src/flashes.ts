import type { Person } from "./person.ts";

/**
 * From now on notes which messages of the open chat are highlighted, because a highlight ends after 1.2 s, which is shorter than the time
 * between two looks of a test at a page on a busy machine. Returns a function that returns their ids (`data-mid`) so far.
 */
export async function watchFlashes({ page }: Person): Promise<() => Promise<string[]>> {
  const watch = await page.evaluateHandle(() => {
    const ids: string[] = [];
    const note = () => {
      for (const row of document.querySelectorAll<HTMLElement>("[data-flash]")) {
        // A cell of a grid of pictures is a message itself.
        const message = row.dataset["mid"] === undefined ? row.querySelector<HTMLElement>("[data-mid]") : row;
        const id = message?.dataset["mid"] ?? "";
        if (!ids.includes(id)) ids.push(id);
      }
    };
    new MutationObserver(note).observe(document, {
      subtree: true,
      childList: true,
      attributeFilter: ["data-flash"],
    });
    return ids;
  });
  return () => watch.evaluate((ids) => [...ids]);
}
