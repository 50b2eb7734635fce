/** The unread divider is above the first message of others after the position `after`; null: there is no divider. */
export interface DividerPosition {
  readonly after: number | null;
  /** The newest unread message that was taken into account. */
  readonly newest: number;
}

/** Positions of unread messages, ascending. */
type UnreadPositions = readonly number[];

/** The divider when a chat is opened. */
export function initialDivider(unread: UnreadPositions, readId: number): DividerPosition {
  const [first] = unread;
  return { after: first === undefined ? null : first - 1, newest: unread.at(-1) ?? readId };
}

/**
 * The divider after messages of others arrived. It stays in place while the chat is open. It moves only if the person had read
 * everything before and is not watching, i.e. uses another window or has scrolled up (interface §7).
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

/** Removes the divider: a person who sends a message has read everything above. */
export function withoutDivider(divider: DividerPosition): DividerPosition {
  return divider.after === null ? divider : { ...divider, after: null };
}
