import { useCallback, useEffect, useRef, useState } from "react";
import type { ChatKey } from "@parley/core/model/state";
import { isShortcut } from "../../../kit/shortcuts.ts";
import { useImeGuard } from "../../../ui/ime.ts";

/** Whether the open chat is searched (null: there is none that can be); the key of interface §12 begins, and again puts the focus back into the field. */
export function useChatSearch(chatKey: ChatKey | null) {
  const [asked, setAsked] = useState<{ key: ChatKey; times: number } | null>(null);
  const open = useCallback(() => {
    if (chatKey !== null) setAsked((now) => ({ key: chatKey, times: (now?.times ?? 0) + 1 }));
  }, [chatKey]);
  /** Words that were typed before the search itself was here. */
  const typed = useRef("");
  const close = useCallback(() => {
    typed.current = "";
    setAsked(null);
  }, []);
  useEffect(() => {
    if (chatKey === null) return;
    const press = (event: KeyboardEvent) => {
      if (!isShortcut(event, "find") || document.querySelector('[role$="dialog"]') !== null) return;
      event.preventDefault();
      open();
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, [chatKey, open]);
  const isOpen = asked !== null && asked.key === chatKey;
  const { isComposing, handlers } = useImeGuard();
  useEffect(() => {
    if (!isOpen) return;
    // Last of all who hear the key: what lies over the search ends first (interface §12).
    const press = (event: KeyboardEvent) => {
      if (event.key !== "Escape" || event.defaultPrevented || isComposing(event)) return;
      if (document.querySelector('[role$="dialog"], [role="menu"]') !== null) return;
      event.preventDefault();
      close();
    };
    window.addEventListener("keydown", press);
    window.addEventListener("compositionend", handlers.onCompositionEnd);
    window.addEventListener("keyup", handlers.onKeyUp);
    return () => {
      window.removeEventListener("keydown", press);
      window.removeEventListener("compositionend", handlers.onCompositionEnd);
      window.removeEventListener("keyup", handlers.onKeyUp);
    };
  }, [isOpen, close, isComposing, handlers.onCompositionEnd, handlers.onKeyUp]);
  return { isOpen, asked: isOpen ? asked.times : 0, typed, open, close } as const;
}

export type ChatSearch = ReturnType<typeof useChatSearch>;
