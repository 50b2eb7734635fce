const MESSAGE = '[role="article"]';

/**
 * Call it before the focused message is removed. It returns a function that moves the focus to the message next to it if the focus was
 * lost, so that keyboard users need not start again. A focus set by a pointer is not restored.
 */
export function focusNeighbour(): () => void {
  const row = document.activeElement;
  if (row?.matches(`${MESSAGE}:focus-visible`) !== true) return () => undefined;
  const rows = [...document.querySelectorAll<HTMLElement>(`[role="log"] ${MESSAGE}`)].toSorted(
    (a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top,
  );
  const index = rows.findIndex((one) => one === row);
  const neighbour = rows[index + 1] ?? rows[index - 1];
  return () => {
    if (!row.isConnected && document.activeElement === document.body)
      neighbour?.focus({ preventScroll: true });
  };
}
