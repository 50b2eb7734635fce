import { useCallback, useSyncExternalStore } from "react";
import { useLocation, useSearch } from "wouter";
import { useIsWide } from "../../../ui/use-media.ts";

/** Marks the entry of the history that opening has made, so that closing goes back over it. */
const STORAGE_KEY = { panel: true } as const;

let isSavedOpen = false;
const listeners = new Set<() => void>();

function saveIsOpen(isOpen: boolean): void {
  isSavedOpen = isOpen;
  for (const listener of listeners) listener();
}

/**
 * The panel beside a conversation. In a wide window it stands there until it is closed, whatever chat is open; in a smaller one it lies
 * over the conversation, and the browser's Back takes it away.
 */
export function useSidePanel() {
  const isDocked = useIsWide();
  const isBeside = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => isSavedOpen,
  );
  const isOver = new URLSearchParams(useSearch()).has("info");
  const [path, navigate] = useLocation();
  const isOpen = isDocked ? isBeside : isOver;
  const open = useCallback(() => {
    if (isDocked) saveIsOpen(true);
    else navigate(`${path}?info`, { state: STORAGE_KEY });
  }, [isDocked, path, navigate]);
  const close = useCallback(() => {
    if (isDocked) saveIsOpen(false);
    else if ((history.state as typeof STORAGE_KEY | null)?.panel) history.back();
    else navigate(path, { replace: true });
  }, [isDocked, path, navigate]);
  return { isDocked, isOpen, open, close } as const;
}
