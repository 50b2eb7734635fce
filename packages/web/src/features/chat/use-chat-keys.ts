import { useEffect } from "react";
import type { ChatKey } from "@parley/core/model/state";
import { useClient } from "../../kit/use-client.ts";

/** Alt ↑ ↓ go to the previous and next chat, with Shift to the next one with unread messages (interface §12). */
export function useChatKeys(openKey: ChatKey | null, goTo: (key: ChatKey) => void): void {
  const client = useClient();
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : null;
      if (step === null || !event.altKey || event.ctrlKey || event.metaKey) return;
      const { order, byKey } = client.getState().chats;
      const key = nextChat(order, openKey, step, (candidate) =>
        event.shiftKey ? (byKey[candidate]?.unread ?? 0) > 0 : true,
      );
      if (key === null) return;
      event.preventDefault();
      goTo(key);
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, [client, openKey, goTo]);
}

/** The next chat in this direction that fits; with none open the search begins at that end. null for none. */
export function nextChat(
  order: readonly ChatKey[],
  openKey: ChatKey | null,
  step: 1 | -1,
  fits: (key: ChatKey) => boolean,
): ChatKey | null {
  const found = openKey === null ? -1 : order.indexOf(openKey);
  const start = found < 0 && step < 0 ? order.length : found;
  for (let i = start + step; i >= 0 && i < order.length; i += step) {
    const key = order[i];
    if (key !== undefined && fits(key)) return key;
  }
  return null;
}
