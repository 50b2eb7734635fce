import { useEffect } from "react";
import type { ChatKey } from "@parley/core/model/state";
import { nextChat, nextUnread } from "../../kit/next-chat.ts";
import { useClient } from "../../kit/use-client.ts";

/** Alt ↑ ↓ go to the previous and next chat, with Shift to the next one that waits for its reader (interface §12). */
export function useChatKeys(openKey: ChatKey | null, goTo: (key: ChatKey) => void): void {
  const client = useClient();
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : null;
      if (step === null || !event.altKey || event.ctrlKey || event.metaKey) return;
      const { chats } = client.getState();
      const key = event.shiftKey ? nextUnread(chats, openKey, step) : nextChat(chats.order, openKey, step);
      if (key === null) return;
      event.preventDefault();
      goTo(key);
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, [client, openKey, goTo]);
}
