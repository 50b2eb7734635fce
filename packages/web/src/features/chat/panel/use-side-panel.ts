import { useCallback } from "react";
import { useLocation, useSearch } from "wouter";
import { create } from "zustand";
import { isOnOverlayEntry } from "../../../kit/use-back-closes.ts";
import { useIsWide } from "../../../ui/use-media.ts";

/** The state of the history entry that opening the panel adds, so that closing can go back over it. */
const HISTORY_STATE = { panel: true } as const;

const useStore = create<{ readonly isOpenBeside: boolean }>(() => ({ isOpenBeside: false }));

/**
 * Whether the side panel is open. In a wide window it stays open until it is closed, whatever chat is open. In a smaller one it covers the
 * conversation, and the browser's Back button closes it.
 */
export function useSidePanel() {
  const isDocked = useIsWide();
  const isOpenBeside = useStore((state) => state.isOpenBeside);
  const isOver = new URLSearchParams(useSearch()).has("info");
  const [path, navigate] = useLocation();
  const isOpen = isDocked ? isOpenBeside : isOver;
  const open = useCallback(() => {
    if (isDocked) useStore.setState({ isOpenBeside: true });
    else navigate(`${path}?info`, { state: HISTORY_STATE });
  }, [isDocked, path, navigate]);
  const close = useCallback(() => {
    if (isDocked) useStore.setState({ isOpenBeside: false });
    // An overlay above the panel, such as the viewer, closes with it.
    else if ((history.state as typeof HISTORY_STATE | null)?.panel) history.go(isOnOverlayEntry() ? -2 : -1);
    else navigate(path, { replace: true });
  }, [isDocked, path, navigate]);
  return { isDocked, isOpen, open, close } as const;
}
