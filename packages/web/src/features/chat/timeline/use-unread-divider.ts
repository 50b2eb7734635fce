import { useCallback, useEffect, useRef, useState } from "react";
import { positionOf } from "@parley/core/model/chats/chat-rows";
import { isAnyChatLoading } from "@parley/core/model/selectors";
import type { Chat } from "@parley/core/model/state";
import { useClientState } from "../../../kit/loading/use-client.ts";

/**
 * The position of the unread divider in an open chat. `isWatching` is called when messages of others arrive. `isPulled`: the new messages
 * were written while this client was offline.
 */
export function useUnreadDivider(chat: Chat, isWatching: () => boolean) {
  const { unread } = chat.sync;
  const [divider, setDivider] = useState(() => initialDivider(unread, chat.readId));
  const [newestAtOpen] = useState(() => newestPosition(chat));
  // At a first start the messages may be loaded before it is known which are unread; then nothing has arrived.
  const isArrival = (unread[0] ?? Infinity) > newestAtOpen;
  const isPulling = useClientState((state) => isAnyChatLoading(state.chats));
  const wasPulling = useRef(isPulling);
  useEffect(() => {
    wasPulling.current = isPulling;
  });
  // The last messages of a pull and its end arrive in the same state change.
  const isPulled = isPulling || wasPulling.current;
  const next = dividerAfterArrivals(divider, unread, () => isArrival && !isPulled && isWatching());
  if (next !== divider) setDivider(next);
  const remove = useCallback(() => setDivider(withoutDivider), []);
  return { after: next.after, remove, isPulled };
}

function newestPosition(chat: Chat): number {
  const newest = chat.window.messages.findLast((message) => message.id !== null);
  return newest === undefined ? -1 : positionOf(newest);
}

/** The unread divider is above the first message of others after the position `after`; null: there is no divider. */
interface DividerPosition {
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
