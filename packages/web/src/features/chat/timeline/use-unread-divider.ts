import { useCallback, useEffect, useRef, useState } from "react";
import { positionOf } from "@parley/core/model/chats/chat-rows";
import type { Chat } from "@parley/core/model/state";
import { useClientState } from "../../../kit/use-client.ts";
import { dividerAfterArrivals, withoutDivider, initialDivider } from "./divider-position.ts";

/**
 * Where the unread divider of an open chat stands; `isLooking` is asked when others wrote. `isPulled`: what is new now was written while
 * this client was away.
 */
export function useUnreadDivider(chat: Chat, isWatching: () => boolean) {
  const { unread } = chat.sync;
  const [divider, setDivider] = useState(() => initialDivider(unread, chat.readId));
  const [newestAtOpen] = useState(() => newestPosition(chat));
  // At a first start the page of the chat may come before what is unread in it is known: that is no arrival.
  const isArrival = (unread[0] ?? Infinity) > newestAtOpen;
  const isPulling = useClientState((state) => Object.values(state.chats.loading).some(Boolean));
  const wasPulling = useRef(isPulling);
  useEffect(() => {
    wasPulling.current = isPulling;
  });
  // The end of a pull and what it brought come as one.
  const isPulled = isPulling || wasPulling.current;
  const next = dividerAfterArrivals(divider, unread, () => isArrival && !isPulled && isWatching());
  if (next !== divider) setDivider(next);
  const drop = useCallback(() => setDivider(withoutDivider), []);
  return { after: next.after, drop, isPulled };
}

function newestPosition(chat: Chat): number {
  const newest = chat.window.messages.findLast((message) => message.id !== null);
  return newest === undefined ? -1 : positionOf(newest);
}
