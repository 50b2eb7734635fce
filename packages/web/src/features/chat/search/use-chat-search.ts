import { useCallback, useEffect, useRef, useState } from "react";
import type { ChatKey } from "@parley/core/model/state";
import { isShortcut } from "../../../kit/shortcuts.ts";
import { useImeGuard } from "../../../ui/ime.ts";

/**
 * The state of the search in the open chat; `chatKey` is null if no chat can be searched. The shortcut of interface §12 opens it, or moves
 * the focus back into its field.
 */
export function useChatSearch(chatKey: ChatKey | null) {
  const [request, setRequest] = useState<{ key: ChatKey; count: number } | null>(null);
  const open = useCallback(() => {
    if (chatKey !== null) setRequest((previous) => ({ key: chatKey, count: (previous?.count ?? 0) + 1 }));
  }, [chatKey]);
  /** What was typed before the search bar was loaded. */
  const typed = useRef("");
  const close = useCallback(() => {
    typed.current = "";
    setRequest(null);
  }, []);
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
  const { isComposing, handlers } = useImeGuard();
  useEffect(() => {
    if (!isOpen) return;
    // The window gets the key last, so that whatever is open over the search closes first (interface §12).
    const handleKeyDown = (event: KeyboardEvent) => {
      if (event.key !== "Escape" || event.defaultPrevented || isComposing(event)) return;
      if (document.querySelector('[role$="dialog"], [role="menu"]') !== null) return;
      event.preventDefault();
      close();
    };
    window.addEventListener("keydown", handleKeyDown);
    window.addEventListener("compositionend", handlers.onCompositionEnd);
    window.addEventListener("keyup", handlers.onKeyUp);
    return () => {
      window.removeEventListener("keydown", handleKeyDown);
      window.removeEventListener("compositionend", handlers.onCompositionEnd);
      window.removeEventListener("keyup", handlers.onKeyUp);
    };
  }, [isOpen, close, isComposing, handlers.onCompositionEnd, handlers.onKeyUp]);
  return { isOpen, focusRequests: isOpen ? request.count : 0, typed, open, close } as const;
}

/** The state of the search in the open chat. */
export type ChatSearch = ReturnType<typeof useChatSearch>;
