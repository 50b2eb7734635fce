/** The state of a history entry that knows the path of the entry below it, so that `goUp` can go back to that. For links to a lower page. */
export interface EntryState {
  readonly below?: string;
}

/** Opens a page below the one that is shown, to which `goUp` leads back. Nothing happens if it is shown already. */
export function goDown(path: string): void {
  if (path === location.pathname + location.search) return;
  history.pushState({ below: location.pathname } satisfies EntryState, "", path);
}

/**
 * Leaves a page for the one above it. It never adds a history entry, because the browser's Back would then lead down again, into a chat that
 * was left or even deleted.
 */
export function goUp(path: string): void {
  if ((history.state as EntryState | null)?.below === path) history.back();
  else history.replaceState(null, "", path);
}
