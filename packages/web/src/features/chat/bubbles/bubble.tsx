import type { ComponentType } from "react";
import { MessageType } from "@parley/protocol/codes";
import type { KINDS } from "@parley/protocol/message";
import { CardBubble } from "./card-bubble.tsx";
import { LocationBubble } from "./location-bubble.tsx";
import { MoneyBubble } from "./money-bubble.tsx";
import { ShakeBubble } from "./shake-bubble.tsx";
import { TextBubble } from "./text-bubble.tsx";
import type { BubbleProps } from "./frame.tsx";
import { UnsupportedBubble } from "./unsupported-bubble.tsx";

/** Kinds that stand in a conversation as a message of somebody: shown, and no tip. */
type Talk = {
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
const BUBBLES: Readonly<Record<Talk, ComponentType<BubbleProps>>> = {
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
  [MessageType.SHAKE]: ShakeBubble,
  [MessageType.BUSINESS_CARD]: CardBubble,
};

/** What one message says. A kind this client does not know says so instead. */
export function Bubble(props: BubbleProps) {
  const View =
    (BUBBLES as Record<number, ComponentType<BubbleProps> | undefined>)[props.message.type] ??
    UnsupportedBubble;
  return <View {...props} />;
}
