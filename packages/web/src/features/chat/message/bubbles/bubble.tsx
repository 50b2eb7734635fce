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

/** Until a bubble has come the mark of its kind stands there, and where it cannot be had. */
function withTextFallback(Part: ReturnType<typeof lazyComponent<BubbleProps>>): ComponentType<BubbleProps> {
  return function LateBubble(props) {
    const t = useText();
    return (
      <Part {...props} waiting={<BubbleFrame {...props}>{messageSummary(props.message, t)}</BubbleFrame>} />
    );
  };
}

/** Kinds that stand in a conversation as a message of somebody: shown, and no tip. */
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

/** How each kind looks. A new kind does not compile before it is here. */
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

/** What one message says. A kind this client does not know says so instead. */
export function Bubble(props: BubbleProps) {
  const View =
    (BUBBLES as Record<number, ComponentType<BubbleProps> | undefined>)[props.message.type] ??
    UnsupportedBubble;
  return <View {...props} />;
}
