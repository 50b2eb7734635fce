import { kindOf } from "@parley/protocol/message";
import { useText } from "../../../../kit/i18n.ts";
import { lazyComponent } from "../../../../kit/lazy-component.tsx";
import { messageSummary } from "../message-summary.ts";
import { BubbleFrame } from "./bubble-frame.tsx";
import type { BubbleProps } from "./bubble-frame.tsx";
import { TextBubble } from "./text-bubble.tsx";
import { UnsupportedBubble } from "./unsupported-bubble.tsx";

const KindBubble = lazyComponent(() => import("../kinds/lazy-kinds.tsx").then((part) => part.KindBubble));

/** Whether `lazy-kinds.tsx` has a bubble. This client shows no files and no calls. */
function hasLazyBubble(type: number): boolean {
  const kind = kindOf(type);
  return (
    kind !== undefined && kind.sendable !== false && kind.content !== "text" && kind.fileFields === undefined
  );
}

/** The bubble of a message. Kinds that this client cannot show have a placeholder. */
export function Bubble(props: BubbleProps) {
  const t = useText();
  const { message } = props;
  if (kindOf(message.type)?.isEditable === true) return <TextBubble {...props} />;
  if (!hasLazyBubble(message.type)) return <UnsupportedBubble {...props} />;
  // A label for the kind until its bubble is loaded, or if it cannot be loaded.
  return (
    <KindBubble {...props} waiting={<BubbleFrame {...props}>{messageSummary(message, t)}</BubbleFrame>} />
  );
}
