const MESSAGE = '[role="article"]';

/**
 * Before the message that the keyboard stands on goes: answers what puts the keyboard on the one beside it, should the focus have gone
 * along. Else whoever walks through messages by keys would have to begin again. A pointer's focus is left to itself.
 */
export function focusNeighbour(): () => void {
  const row = document.activeElement;
  if (row?.matches(`${MESSAGE}:focus-visible`) !== true) return () => undefined;
  const rows = [...document.querySelectorAll<HTMLElement>(`[role="log"] ${MESSAGE}`)].toSorted(
    (a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top,
  );
  const at = rows.findIndex((one) => one === row);
  const neighbour = rows[at + 1] ?? rows[at - 1];
  return () => {
    if (!row.isConnected && document.activeElement === document.body)
      neighbour?.focus({ preventScroll: true });
  };
}
