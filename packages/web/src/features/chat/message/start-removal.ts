import type { Result } from "@parley/core/model/state";
import { toasts } from "../../../kit/toasts.ts";

const MESSAGE = '[role="article"]';

/**
 * Call it before the focused message is removed, and what it returns with the result. That moves the focus to the message next to it if the
 * focus was lost, so that keyboard users need not start again; a focus set by a pointer is not restored. A failure is shown.
 */
export function startRemoval(): (result: Result<null>) => void {
  const restoreFocus = neighbourFocus();
  return (result) => {
    if (result.ok) requestAnimationFrame(restoreFocus);
    else toasts.failure(result.failure);
  };
}

function neighbourFocus(): () => void {
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
