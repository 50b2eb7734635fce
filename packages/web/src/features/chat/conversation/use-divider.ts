import { useCallback, useState } from "react";
import type { Chat } from "@parley/core/model/state";
import { divideArrivals, dropDivider, openDivider } from "./unread-divider.ts";

/** Where the unread divider of an open chat stands; `isLooking` is asked when others wrote. */
export function useDivider(chat: Chat, isLooking: () => boolean) {
  const [divider, setDivider] = useState(() => openDivider(chat.book.unread, chat.readId));
  const next = divideArrivals(divider, chat.book.unread, isLooking);
  if (next !== divider) setDivider(next);
  const drop = useCallback(() => setDivider(dropDivider), []);
  return { after: next.after, drop };
}
