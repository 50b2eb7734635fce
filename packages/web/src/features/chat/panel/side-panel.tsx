import { useEffect, useRef } from "react";
import { ChatType } from "@parley/protocol/codes";
import { lazyComponent } from "../../../kit/lazy-component.tsx";
import { useSidePanel } from "./use-side-panel.ts";

const GroupPanel = lazyComponent(() => import("./group-panel.tsx").then((part) => part.GroupPanel));
const PersonPanel = lazyComponent(() => import("./person-panel.tsx").then((part) => part.PersonPanel));

interface SidePanelProps {
  type: typeof ChatType.PRIVATE | typeof ChatType.GROUP;
  targetId: number;
  /** Looks for words in the conversation. */
  onSearch: () => void;
}

/** Beside a conversation, when it is asked for: what the group is and who is in it, or who the other one is. */
export function SidePanel({ type, targetId, onSearch }: SidePanelProps) {
  const { isOpen, isDocked, close } = useSidePanel();
  const willFind = useRef(false);
  // What the panel covers takes no focus before it has gone.
  useEffect(() => {
    if (isOpen || !willFind.current) return;
    willFind.current = false;
    onSearch();
  }, [isOpen, onSearch]);
  if (!isOpen) return null;
  const find = () => {
    if (isDocked) return onSearch();
    willFind.current = true;
    close();
  };
  const frame = { isDocked, onClose: close, onSearch: find, onMissing: close };
  return type === ChatType.GROUP ? (
    <GroupPanel key={targetId} groupId={targetId} {...frame} />
  ) : (
    <PersonPanel key={targetId} userId={targetId} {...frame} />
  );
}
