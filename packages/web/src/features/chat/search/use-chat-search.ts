import { useCallback, useEffect, useState } from "react";
import type { ChatKey } from "@parley/core/model/state";
import { isShortcut } from "../../../kit/settings/shortcuts.ts";
import { useEscape } from "../../../kit/dialogs/closing.ts";

/**
 * The state of the search in the open chat; `chatKey` is null if no chat can be searched. The shortcut of interface §12 opens it, or moves
 * the focus back into its field.
 */
export function useChatSearch(chatKey: ChatKey | null) {
  const [request, setRequest] = useState<{ key: ChatKey; count: number } | null>(null);
  const open = useCallback(() => {
    if (chatKey !== null) setRequest((previous) => ({ key: chatKey, count: (previous?.count ?? 0) + 1 }));
  }, [chatKey]);
  const close = useCallback(() => setRequest(null), []);
  useEffect(() => {
    if (chatKey === null) return;
    const handleKeyDown = (event: KeyboardEvent) => {
      if (!isShortcut(event, "find") || document.querySelector('[role$="dialog"]') !== null) return;
      event.preventDefault();
      open();
    };
    document.addEventListener("keydown", handleKeyDown);
    return () => document.removeEventListener("keydown", handleKeyDown);
  }, [chatKey, open]);
  const isOpen = request !== null && request.key === chatKey;
  useEscape(isOpen, close);
  return { isOpen, focusRequests: isOpen ? request.count : 0, open, close } as const;
}

/** The state of the search in the open chat. */
export type ChatSearch = ReturnType<typeof useChatSearch>;
