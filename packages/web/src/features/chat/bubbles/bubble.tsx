import type { ComponentType } from "react";
import { MessageType } from "@parley/protocol/codes";
import type { KINDS } from "@parley/protocol/message";
import { useText } from "../../../kit/i18n.ts";
import { lazyPart } from "../../../kit/lazy-part.tsx";
import { messageWords } from "../message/message-words.ts";
import { BubbleFrame } from "./frame.tsx";
import type { BubbleProps } from "./frame.tsx";
import { TextBubble } from "./text-bubble.tsx";
import { UnsupportedBubble } from "./unsupported-bubble.tsx";

const CardBubble = orWords(lazyPart(() => import("./rare-bubbles.ts").then((part) => part.CardBubble)));
const LocationBubble = orWords(
  lazyPart(() => import("./rare-bubbles.ts").then((part) => part.LocationBubble)),
);
const MoneyBubble = orWords(lazyPart(() => import("./rare-bubbles.ts").then((part) => part.MoneyBubble)));
const ShakeBubble = orWords(lazyPart(() => import("./rare-bubbles.ts").then((part) => part.ShakeBubble)));

/** Until a bubble has come the mark of its kind stands there, and where it cannot be had. */
function orWords(Part: ReturnType<typeof lazyPart<BubbleProps>>): ComponentType<BubbleProps> {
  return function LateBubble(props) {
    const t = useText();
    return (
      <Part {...props} waiting={<BubbleFrame {...props}>{messageWords(props.message, t)}</BubbleFrame>} />
    );
  };
}

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
