import type { Page } from "@playwright/test";

/** How much React rendered on a page since the last call of `readRenderWork`. */
export interface RenderWork {
  /** How often React changed the page. */
  readonly commits: number;
  /** How many of these commits rendered the main pane. */
  readonly inMain: number;
  /** Whether any part of the page was marked as busy. */
  readonly wasBusy: boolean;
}

interface CountingWindow {
  parleyWork: { commits: number; inMain: number; wasBusy: boolean };
}

/** React's node for a part of the page. A part that was not rendered again keeps the same child. */
interface Fiber {
  readonly type: unknown;
  readonly child: Fiber | null;
  readonly sibling: Fiber | null;
}

/** Counts React's work from the next load of the page on. It uses the hook of React's developer tools, which production builds call too. */
export async function countRenderWork(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const work = { commits: 0, inMain: 0, wasBusy: false };
    const findMain = (fiber: Fiber | null): Fiber | null => {
      for (let current = fiber; current !== null; current = current.sibling) {
        const found = current.type === "main" ? current : findMain(current.child);
        if (found !== null) return found;
      }
      return null;
    };
    let lastChild: Fiber | null = null;
    Object.assign(window, {
      parleyWork: work,
      __REACT_DEVTOOLS_GLOBAL_HOOK__: {
        isDisabled: false,
        supportsFiber: true,
        inject: () => 1,
        checkDCE: () => undefined,
        onCommitFiberRoot(_: number, root: { current: Fiber }) {
          const child = findMain(root.current)?.child ?? null;
          if (child !== lastChild) work.inMain += 1;
          lastChild = child;
          work.commits += 1;
        },
        onCommitFiberUnmount: () => undefined,
        onPostCommitFiberRoot: () => undefined,
      },
    });
    new MutationObserver(() => {
      work.wasBusy ||= document.querySelector('[aria-busy="true"]') !== null;
    }).observe(document, { subtree: true, childList: true, attributeFilter: ["aria-busy"] });
  });
}

/** Returns the counts since the last call and resets them. */
export function readRenderWork(page: Page): Promise<RenderWork> {
  return page.evaluate(() => {
    const { parleyWork } = window as unknown as CountingWindow;
    const work = { ...parleyWork };
    parleyWork.commits = 0;
    parleyWork.inMain = 0;
    parleyWork.wasBusy = false;
    return work;
  });
}
