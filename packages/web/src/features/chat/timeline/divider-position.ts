/** Where the unread divider stands: above the first message of others beyond `after`; null for no divider. */
export interface DividerPosition {
  readonly after: number | null;
  /** The newest unread message that was taken into account. */
  readonly newest: number;
}

/** Positions of unread messages, ascending. */
type UnreadPositions = readonly number[];

/** The divider of a chat that is being opened. */
export function initialDivider(unread: UnreadPositions, readId: number): DividerPosition {
  const [first] = unread;
  return { after: first === undefined ? null : first - 1, newest: unread.at(-1) ?? readId };
}

/**
 * Others wrote. The divider is frozen while the chat is open; it is placed anew only above messages that came while the person
 * had read everything before them and looked elsewhere: at another window or further up (interface §7).
 */
export function dividerAfterArrivals(
  divider: DividerPosition,
  unread: UnreadPositions,
  isWatching: () => boolean,
): DividerPosition {
  const [first] = unread;
  const newest = unread.at(-1);
  if (first === undefined || newest === undefined || newest <= divider.newest) return divider;
  const hadReadAll = first > divider.newest;
  return { after: hadReadAll && !isWatching() ? first - 1 : divider.after, newest };
}

/** Writing something shows that everything above was read. */
export function withoutDivider(divider: DividerPosition): DividerPosition {
  return divider.after === null ? divider : { ...divider, after: null };
}
