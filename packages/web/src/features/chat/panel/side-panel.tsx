import { useCallback, useEffect, useRef } from "react";
import { flushSync } from "react-dom";
import { useLocation, useSearch } from "wouter";
import { create } from "zustand";
import { chatKey } from "@parley/core/model/chats/chat-rows";
import type { ChatKey } from "@parley/core/model/state";
import { ChatType } from "@parley/protocol/codes";
import { lazyComponent } from "../../../kit/loading/lazy-component.tsx";
import { isOnOverlayEntry } from "../../../kit/dialogs/closing.ts";
import { useIsWide } from "../../../ui/use-media.ts";
import type { PanelPart } from "./panel-frame.tsx";

const GroupPanel = lazyComponent(() => import("./group-panel.tsx").then((part) => part.GroupPanel));
const PersonPanel = lazyComponent(() => import("./person-panel.tsx").then((part) => part.PersonPanel));

const PARTS = {
  pins: lazyComponent(() => import("./pins/pins-panel.tsx").then((part) => part.PinsPanel)),
  media: lazyComponent(() => import("./media/media-panel.tsx").then((part) => part.MediaPanel)),
} satisfies Readonly<Record<PanelPart, unknown>>;

interface SidePanelProps {
  type: typeof ChatType.PRIVATE | typeof ChatType.GROUP;
  targetId: number;
  /** Opens the search in the conversation. */
  onSearch: () => void;
}

/** The panel beside a conversation with information about the group or the person. */
export function SidePanel({ type, targetId, onSearch }: SidePanelProps) {
  const { isOpen, isDocked, close, openPart } = useSidePanel();
  const willSearch = useRef(false);
  // The search can take the focus only after the panel that covers it has closed.
  useEffect(() => {
    if (isOpen || !willSearch.current) return;
    willSearch.current = false;
    onSearch();
  }, [isOpen, onSearch]);
  const key = chatKey(type, targetId);
  const part = useStore((state) => (state.part?.key === key ? state.part.name : null));
  const closePart = () => {
    // The button that was pressed goes with its panel.
    flushSync(() => useStore.setState({ part: null }));
    document.querySelector<HTMLElement>('[data-landmark="panel"]')?.focus({ preventScroll: true });
  };
  if (!isOpen) return null;
  const search = () => {
    if (isDocked) return onSearch();
    willSearch.current = true;
    close();
  };
  if (part !== null) {
    const Part = PARTS[part];
    const onMissing = () => useStore.setState({ part: null });
    const frame = { isDocked, onBack: closePart, onClose: close, onMissing };
    return <Part key={`${part} ${key}`} chatKey={key} {...frame} />;
  }
  const onPart = (name: PanelPart) => openPart(key, name);
  const frame = { isDocked, onClose: close, onSearch: search, onPart, onMissing: close };
  return type === ChatType.GROUP ? (
    <GroupPanel key={targetId} groupId={targetId} {...frame} />
  ) : (
    <PersonPanel key={targetId} userId={targetId} {...frame} />
  );
}

/** The state of the history entry that opening the panel adds, so that closing can go back over it. */
const HISTORY_STATE = { panel: true } as const;

interface SidePanelState {
  readonly isOpenBeside: boolean;
  /** What is in place of the panel of a chat. */
  readonly part: { readonly key: ChatKey; readonly name: PanelPart } | null;
}

const useStore = create<SidePanelState>(() => ({ isOpenBeside: false, part: null }));

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
  const openPart = useCallback(
    (key: ChatKey, name: PanelPart) => {
      useStore.setState({ part: { key, name } });
      if (!isOpen) open();
    },
    [isOpen, open],
  );
  return { isDocked, isOpen, open, close, openPart } as const;
}
