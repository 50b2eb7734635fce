import { useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { ChatType } from "@parley/protocol/codes";
import { chatKey } from "@parley/core/model/chats/chat-rows";
import type { ChatKey } from "@parley/core/model/state";
import { lazyComponent } from "../../../kit/lazy-component.tsx";
import { useSidePanel } from "./use-side-panel.ts";

const GroupPanel = lazyComponent(() => import("./group-panel.tsx").then((part) => part.GroupPanel));
const MediaPanel = lazyComponent(() => import("./media/media-panel.tsx").then((part) => part.MediaPanel));
const PersonPanel = lazyComponent(() => import("./person-panel.tsx").then((part) => part.PersonPanel));

interface SidePanelProps {
  type: typeof ChatType.PRIVATE | typeof ChatType.GROUP;
  targetId: number;
  /** Opens the search in the conversation. */
  onSearch: () => void;
}

/** The panel beside a conversation with information about the group or the person. */
export function SidePanel({ type, targetId, onSearch }: SidePanelProps) {
  const { isOpen, isDocked, close } = useSidePanel();
  const willSearch = useRef(false);
  // The search can take the focus only after the panel that covers it has closed.
  useEffect(() => {
    if (isOpen || !willSearch.current) return;
    willSearch.current = false;
    onSearch();
  }, [isOpen, onSearch]);
  const key = chatKey(type, targetId);
  const [mediaOf, setMediaOf] = useState<ChatKey | null>(null);
  const hideMedia = () => {
    // The button that was pressed goes with its panel.
    flushSync(() => setMediaOf(null));
    document.querySelector<HTMLElement>('[data-landmark="panel"]')?.focus({ preventScroll: true });
  };
  if (!isOpen) return null;
  const search = () => {
    if (isDocked) return onSearch();
    willSearch.current = true;
    close();
  };
  if (mediaOf === key) {
    return (
      <MediaPanel
        key={key}
        chatKey={key}
        isDocked={isDocked}
        onBack={hideMedia}
        onClose={close}
        onMissing={() => setMediaOf(null)}
      />
    );
  }
  const showMedia = () => setMediaOf(key);
  const frame = { isDocked, onClose: close, onSearch: search, onMedia: showMedia, onMissing: close };
  return type === ChatType.GROUP ? (
    <GroupPanel key={targetId} groupId={targetId} {...frame} />
  ) : (
    <PersonPanel key={targetId} userId={targetId} {...frame} />
  );
}
