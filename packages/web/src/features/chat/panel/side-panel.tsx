import { lazyPart } from "../../../kit/lazy-part.tsx";
import { useSidePanel } from "./use-side-panel.ts";

const GroupPanel = lazyPart(() => import("./group-panel.tsx").then((part) => part.GroupPanel));

/** Beside the conversation of a group, when it is asked for: what the group is, and who is in it. */
export function SidePanel({ groupId }: { groupId: number }) {
  const { isOpen, isDocked, close } = useSidePanel();
  if (!isOpen) return null;
  return <GroupPanel key={groupId} groupId={groupId} isDocked={isDocked} onClose={close} onMissing={close} />;
}
