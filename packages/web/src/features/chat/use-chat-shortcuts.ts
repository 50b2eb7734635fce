import { useEffect } from "react";
import type { ChatKey } from "@parley/core/model/state";
import { isShortcut } from "../../kit/shortcuts.ts";
import { nextChat, nextUnread } from "../../kit/next-chat.ts";
import { useClient } from "../../kit/use-client.ts";

const STEPS = [
  ["previousChat", -1, false],
  ["nextChat", 1, false],
  ["previousUnread", -1, true],
  ["nextUnread", 1, true],
] as const;

/** Alt ↑ ↓ go to the previous and next chat, with Shift to the next one that waits for its reader (interface §12). */
export function useChatShortcuts(openKey: ChatKey | null, goTo: (key: ChatKey) => void): void {
  const client = useClient();
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const step = STEPS.find(([action]) => isShortcut(event, action));
      if (step === undefined) return;
      const [, way, isUnread] = step;
      const { chats } = client.getState();
      const key = isUnread ? nextUnread(chats, openKey, way) : nextChat(chats.order, openKey, way);
      if (key === null) return;
      event.preventDefault();
      goTo(key);
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, [client, openKey, goTo]);
}
