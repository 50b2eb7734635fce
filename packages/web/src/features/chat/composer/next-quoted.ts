/** The next older (-1) or newer (1) message to quote; null after the newest one. */
export function nextQuoted(
  messages: readonly { readonly id: number | null }[],
  current: number | null,
  step: 1 | -1,
): number | null {
  const found = current === null ? messages.length : messages.findIndex(({ id }) => id === current);
  const next = Math.max(0, (found < 0 ? messages.length : found) + step);
  return messages[next]?.id ?? null;
}
