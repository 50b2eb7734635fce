import { type KINDS, kindOf } from "@parley/protocol/message";
import type { BubbleProps } from "../bubbles/bubble-frame.tsx";
import { UnsupportedBubble } from "../bubbles/unsupported-bubble.tsx";
import { audio } from "./audio.tsx";
import { businessCard } from "./business-card.tsx";
import { callRecord } from "./call-record.tsx";
import { file } from "./file.tsx";
import { image } from "./image.tsx";
import { location } from "./location.tsx";
import type { MessageKind } from "./message-kind.ts";
import { redEnvelope, transfer } from "./money.tsx";
import { nudge } from "./nudge.tsx";
import { video } from "./video.tsx";

/** Kinds other than text, grids of pictures, and the text with code: one file, loaded when the first of them is needed. */
export { CodeText } from "../bubbles/code-text.tsx";
export { PictureCells } from "../media/picture-cells.tsx";

type Kinds = typeof KINDS;
/** Names of the kinds other than text that people send, and of the records of calls. The same as in `hasLazyBubble`. */
type LazyName = {
  [Type in keyof Kinds]: Kinds[Type] extends
    | { sendable: true | "money"; content: "json" | "empty" }
    | { unread: "missed" }
    ? Kinds[Type]["name"]
    : never;
}[keyof Kinds];

/** Each kind by its name, in the order of the menu. A new kind does not compile without an entry. */
export const LAZY_KINDS: Readonly<Record<LazyName, MessageKind>> = {
  IMAGE: image,
  FILE: file,
  AUDIO: audio,
  VIDEO: video,
  SHAKE: nudge,
  BUSINESS_CARD: businessCard,
  LOCATION: location,
  REDENVELOPE: redEnvelope,
  TRANSFER: transfer,
  ACT_RT_VOICE: callRecord,
  ACT_RT_VIDEO: callRecord,
};

/** The bubble of a message of one of these kinds. */
export function KindBubble(props: BubbleProps) {
  const name = kindOf(props.message.type)?.name ?? "";
  const kind = (LAZY_KINDS as Readonly<Record<string, MessageKind | undefined>>)[name];
  const BubbleComponent = kind?.Bubble ?? UnsupportedBubble;
  return <BubbleComponent {...props} />;
}
