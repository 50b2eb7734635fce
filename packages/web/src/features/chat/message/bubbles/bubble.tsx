import type { ComponentType } from "react";
import { MessageType } from "@parley/protocol/codes";
import type { KINDS } from "@parley/protocol/message";
import { useText } from "../../../../kit/i18n.ts";
import { lazyComponent } from "../../../../kit/lazy-component.tsx";
import { messageSummary } from "../message-summary.ts";
import { BubbleFrame } from "./bubble-frame.tsx";
import type { BubbleProps } from "./bubble-frame.tsx";
import { TextBubble } from "./text-bubble.tsx";
import { UnsupportedBubble } from "./unsupported-bubble.tsx";

const CardBubble = withTextFallback(
  lazyComponent(() => import("./lazy-bubbles.ts").then((part) => part.CardBubble)),
);
const LocationBubble = withTextFallback(
  lazyComponent(() => import("./lazy-bubbles.ts").then((part) => part.LocationBubble)),
);
const MoneyBubble = withTextFallback(
  lazyComponent(() => import("./lazy-bubbles.ts").then((part) => part.MoneyBubble)),
);
const NudgeBubble = withTextFallback(
  lazyComponent(() => import("./lazy-bubbles.ts").then((part) => part.NudgeBubble)),
);

/** Shows a label for the kind until its bubble is loaded, or if it cannot be loaded. */
function withTextFallback(Part: ReturnType<typeof lazyComponent<BubbleProps>>): ComponentType<BubbleProps> {
  return function LazyBubble(props) {
    const t = useText();
    return (
      <Part {...props} waiting={<BubbleFrame {...props}>{messageSummary(props.message, t)}</BubbleFrame>} />
    );
  };
}

/** Kinds that are shown in a conversation as a message of a person, so no tips. */
type BubbleType = {
  [Type in keyof typeof KINDS]: (typeof KINDS)[Type] extends {
    shown: true;
    chats: readonly ["PRIVATE", ...(readonly string[])];
  }
    ? Type extends 20 | 21
      ? never
      : Type
    : never;
}[keyof typeof KINDS];

/** The bubble of each kind. A new kind does not compile without an entry. */
const BUBBLES: Readonly<Record<BubbleType, ComponentType<BubbleProps>>> = {
  [MessageType.TEXT]: TextBubble,
  [MessageType.IMAGE]: UnsupportedBubble,
  [MessageType.FILE]: UnsupportedBubble,
  [MessageType.AUDIO]: UnsupportedBubble,
  [MessageType.VIDEO]: UnsupportedBubble,
  [MessageType.REDENVELOPE]: MoneyBubble,
  [MessageType.TRANSFER]: MoneyBubble,
  [MessageType.ACT_RT_VOICE]: UnsupportedBubble,
  [MessageType.ACT_RT_VIDEO]: UnsupportedBubble,
  [MessageType.LOCATION]: LocationBubble,
  [MessageType.SHAKE]: NudgeBubble,
  [MessageType.BUSINESS_CARD]: CardBubble,
};

/** The bubble of a message. Unknown kinds show a placeholder. */
export function Bubble(props: BubbleProps) {
  const BubbleComponent =
    (BUBBLES as Record<number, ComponentType<BubbleProps> | undefined>)[props.message.type] ??
    UnsupportedBubble;
  return <BubbleComponent {...props} />;
}
