import { useCallback, useSyncExternalStore } from "react";
import { useLocation, useSearch } from "wouter";
import { useIsWide } from "../../../ui/use-media.ts";

/** The state of the history entry that opening the panel adds, so that closing can go back over it. */
const HISTORY_STATE = { panel: true } as const;

let isOpenBeside = false;
const listeners = new Set<() => void>();

function setOpenBeside(isOpen: boolean): void {
  isOpenBeside = isOpen;
  for (const listener of listeners) listener();
}

/**
 * Whether the side panel is open. In a wide window it stays open until it is closed, whatever chat is open. In a smaller one it covers the
 * conversation, and the browser's Back button closes it.
 */
export function useSidePanel() {
  const isDocked = useIsWide();
  const isBeside = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => isOpenBeside,
  );
  const isOver = new URLSearchParams(useSearch()).has("info");
  const [path, navigate] = useLocation();
  const isOpen = isDocked ? isBeside : isOver;
  const open = useCallback(() => {
    if (isDocked) setOpenBeside(true);
    else navigate(`${path}?info`, { state: HISTORY_STATE });
  }, [isDocked, path, navigate]);
  const close = useCallback(() => {
    if (isDocked) setOpenBeside(false);
    else if ((history.state as typeof HISTORY_STATE | null)?.panel) history.back();
    else navigate(path, { replace: true });
  }, [isDocked, path, navigate]);
  return { isDocked, isOpen, open, close } as const;
}
