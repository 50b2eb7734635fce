import type { Page } from "@playwright/test";

/** A toast that was shown: whether it was announced at once, and its sentence. */
interface ShownToast {
  readonly role: string;
  readonly text: string;
}

type RecordingWindow = Window & { shownToasts: ShownToast[] };

/**
 * Keeps what the toasts of a page say. Most of them are there for 1.5 s, which is shorter than the time between two looks of a test at a
 * page on a busy machine. Runs in the page before it loads.
 */
export function recordToasts(): void {
  const shownToasts: ShownToast[] = [];
  Object.assign(window, { shownToasts });
  const region = (): Element | null => document.querySelector("[data-toasts]");
  const record = (layer: Element) => {
    const note = (toast: Node) => {
      if (toast instanceof Element)
        shownToasts.push({ role: toast.role ?? "", text: toast.querySelector("span")?.textContent ?? "" });
    };
    for (const toast of layer.children) note(toast);
    new MutationObserver((changes) => {
      for (const { addedNodes } of changes) for (const toast of addedNodes) note(toast);
    }).observe(layer, { childList: true });
  };
  // The layer is mounted once.
  const search = new MutationObserver(() => {
    const layer = region();
    if (layer === null) return;
    search.disconnect();
    record(layer);
  });
  search.observe(document, { childList: true, subtree: true });
}

/** Returns the sentences of all toasts that were shown and not found so far; later ones alone are found afterwards. */
export function takeToasts(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    (window as unknown as RecordingWindow).shownToasts.splice(0).map(({ text }) => text),
  );
}

/**
 * Waits until a toast with these words was shown, be it still there or not. Each shown toast is found once. `role` is "alert" for what is
 * announced at once.
 */
export async function expectToast(page: Page, words: string, role?: "alert" | "status"): Promise<void> {
  await page.waitForFunction(
    ([wanted, wantedRole]) => {
      const { shownToasts } = window as unknown as RecordingWindow;
      const at = shownToasts.findIndex(
        (toast) => toast.text.includes(wanted) && (wantedRole === undefined || toast.role === wantedRole),
      );
      if (at >= 0) shownToasts.splice(at, 1);
      return at >= 0;
    },
    [words, role] as const,
    { polling: 100 },
  );
}
