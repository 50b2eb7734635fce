import { useCallback, useEffect, useRef, useState } from "react";
import { positionOf } from "@parley/core/model/chats/chat-rows";
import { isAnyChatLoading } from "@parley/core/model/selectors";
import type { Chat } from "@parley/core/model/state";
import { useClientState } from "../../../kit/use-client.ts";
import { dividerAfterArrivals, withoutDivider, initialDivider } from "./divider-position.ts";

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
