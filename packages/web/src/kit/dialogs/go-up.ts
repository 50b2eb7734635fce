/** The state of a history entry that knows the path of the entry below it, so that `goUp` can go back to that. For links to a lower page. */
export interface EntryState {
  readonly below?: string;
}

/** Opens a page below the one that is shown, to which `goUp` leads back. Nothing happens if it is shown already. */
export function goDown(path: string): void {
  if (path === location.pathname + location.search) return;
  history.pushState({ below: location.pathname } satisfies EntryState, "", path);
}

/** How long an entry counts as being left. Then the browser has not gone back, and the person may try again. */
const LEAVING_MS = 1_000;

/** The state of the entry that is being left. The browser goes back a moment later, to an entry with another one. */
let leaving: EntryState | null = null;

/**
 * Leaves a page for the one above it. It never adds a history entry, because the browser's Back would then lead down again, into a chat that
 * was left or even deleted. A second call before the browser has gone back does nothing.
 */
export function goUp(path: string): void {
  const state = history.state as EntryState | null;
  if (state !== null && state === leaving) return;
  if (state?.below !== path) return history.replaceState(null, "", path);
  leaving = state;
  setTimeout(() => {
    if (leaving === state) leaving = null;
  }, LEAVING_MS);
  history.back();
}
