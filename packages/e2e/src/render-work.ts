import type { Page } from "@playwright/test";

/** What happened on a page since the last look. */
export interface RenderWork {
  /** Times that React changed the page. */
  readonly commits: number;
  /** How many of them drew something in the main pane. */
  readonly inMain: number;
  /** Whether anything said that it was loading. */
  readonly wasBusy: boolean;
}

interface CountedPage {
  parleyWork: { commits: number; inMain: number; wasBusy: boolean };
}

/** What React keeps of a part of the page; a part that was not drawn again keeps its child. */
interface Fiber {
  readonly type: unknown;
  readonly child: Fiber | null;
  readonly sibling: Fiber | null;
}

/** Counts, from the next load of the page on, what React does there: its own hook for tools tells, also in a production build. */
export async function countRenderWork(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const work = { commits: 0, inMain: 0, wasBusy: false };
    const findMain = (fiber: Fiber | null): Fiber | null => {
      for (let one = fiber; one !== null; one = one.sibling) {
        const found = one.type === "main" ? one : findMain(one.child);
        if (found !== null) return found;
      }
      return null;
    };
    let last: Fiber | null = null;
    Object.assign(window, {
      parleyWork: work,
      __REACT_DEVTOOLS_GLOBAL_HOOK__: {
        isDisabled: false,
        supportsFiber: true,
        inject: () => 1,
        checkDCE: () => undefined,
        onCommitFiberRoot(_: number, root: { current: Fiber }) {
          const inside = findMain(root.current)?.child ?? null;
          if (inside !== last) work.inMain += 1;
          last = inside;
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

/** What happened since the last call, which starts anew. */
export function readRenderWork(page: Page): Promise<RenderWork> {
  return page.evaluate(() => {
    const { parleyWork } = window as unknown as CountedPage;
    const work = { ...parleyWork };
    parleyWork.commits = 0;
    parleyWork.inMain = 0;
    parleyWork.wasBusy = false;
    return work;
  });
}
