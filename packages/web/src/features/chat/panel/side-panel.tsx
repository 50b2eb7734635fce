import { useEffect, useRef } from "react";
import { ChatType } from "@parley/protocol/codes";
import { lazyPart } from "../../../kit/lazy-part.tsx";
import { useSidePanel } from "./use-side-panel.ts";

const GroupPanel = lazyPart(() => import("./group-panel.tsx").then((part) => part.GroupPanel));
const PersonPanel = lazyPart(() => import("./person-panel.tsx").then((part) => part.PersonPanel));

interface SidePanelProps {
  type: typeof ChatType.PRIVATE | typeof ChatType.GROUP;
  targetId: number;
  /** Looks for words in the conversation. */
  onFind: () => void;
}

/** Beside a conversation, when it is asked for: what the group is and who is in it, or who the other one is. */
export function SidePanel({ type, targetId, onFind }: SidePanelProps) {
  const { isOpen, isDocked, close } = useSidePanel();
  const willFind = useRef(false);
  // What the panel covers takes no focus before it has gone.
  useEffect(() => {
    if (isOpen || !willFind.current) return;
    willFind.current = false;
    onFind();
  }, [isOpen, onFind]);
  if (!isOpen) return null;
  const find = () => {
    if (isDocked) return onFind();
    willFind.current = true;
    close();
  };
  const frame = { isDocked, onClose: close, onFind: find, onMissing: close };
  return type === ChatType.GROUP ? (
    <GroupPanel key={targetId} groupId={targetId} {...frame} />
  ) : (
    <PersonPanel key={targetId} userId={targetId} {...frame} />
  );
}
