import { useEffect } from "react";
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

/** Alt ↑ and Alt ↓ go to the previous and next chat, with Shift to the next unread one (interface §12). */
export function useChatShortcuts(openKey: ChatKey | null, goTo: (key: ChatKey) => void): void {
  const client = useClient();
  useEffect(() => {
    const handleKeyDown = (event: KeyboardEvent) => {
      const step = STEPS.find(([action]) => isShortcut(event, action));
      // With Alt, arrow keys also open the list of a native select.
      if (step === undefined || isDialogOpen() || event.target instanceof HTMLSelectElement) return;
      const [, direction, isUnread] = step;
      const state = client.getState();
      const key = isUnread
        ? nextUnread(state.chats, openKey, direction)
        : nextChat(visibleChats(state), openKey, direction);
      if (key === null) return;
      event.preventDefault();
      goTo(key);
    };
    document.addEventListener("keydown", handleKeyDown);
    return () => document.removeEventListener("keydown", handleKeyDown);
  }, [client, openKey, goTo]);
}
