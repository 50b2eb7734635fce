/** The path of the history entry below, in the entries that `goDown` adds. */
interface EntryState {
  readonly below?: string;
}

/** Opens a page of the list that is shown, from which `goUp` leads back. */
export function goDown(path: string): void {
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
