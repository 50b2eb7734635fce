import { useEffect } from "react";
import { type ChatFold, type ChatView, filterChats } from "@parley/core/model/chats/chat-filter";
import type { ChatKey } from "@parley/core/model/state";
import { isDialogOpen } from "../../kit/dialogs/open-dialog.ts";
import { visibleChats, nextChat, nextUnread } from "../../kit/chats/chat-order.ts";
import { isShortcut } from "../../kit/settings/shortcuts.ts";
import { useClient } from "../../kit/loading/use-client.ts";

const STEPS = [
  ["previousChat", -1, false],
  ["nextChat", 1, false],
  ["previousUnread", -1, true],
  ["nextUnread", 1, true],
] as const;

/**
 * Alt ↑ and Alt ↓ go to the previous and next chat that the list shows, with Shift to the next unread one of all (interface §12). From an
 * open chat that it leaves out they go on from its place.
 */
export function useChatShortcuts(
  openKey: ChatKey | null,
  view: ChatView,
  folds: readonly ChatFold[],
  goTo: (key: ChatKey) => void,
): void {
  const client = useClient();
  useEffect(() => {
    const handleKeyDown = (event: KeyboardEvent) => {
      const step = STEPS.find(([action]) => isShortcut(event, action));
      // With Alt, arrow keys also open the list of a native select.
      if (step === undefined || isDialogOpen() || event.target instanceof HTMLSelectElement) return;
      const [, direction, isUnread] = step;
      const state = client.getState();
      const key = isUnread
        ? nextUnread(state, openKey, direction)
        : nextChat(filterChats(visibleChats(state), view, state, openKey, folds), openKey, direction);
      if (key === null) return;
      event.preventDefault();
      goTo(key);
    };
    document.addEventListener("keydown", handleKeyDown);
    return () => document.removeEventListener("keydown", handleKeyDown);
  }, [client, openKey, view, folds, goTo]);
}
