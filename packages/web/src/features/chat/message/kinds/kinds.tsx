import type { ComponentType } from "react";
import type { LucideIcon } from "lucide-react";
import type { Client } from "@parley/core/client-api";
import type { ChatKey } from "@parley/core/model/state";
import { kindOf, type KINDS } from "@parley/protocol/message";
import type { Translate, TextId } from "../../../../kit/i18n/i18n.ts";
import { type BubbleProps, UnsupportedBubble } from "../bubbles/bubble-frame.tsx";
import type { SendDialog } from "../conversation-ui.ts";
import { audio, file, image, video } from "./files.tsx";
import { businessCard } from "./business-card.tsx";
import { callRecord } from "./call-record.tsx";
import { location } from "./location.tsx";
import { redEnvelope, transfer } from "./money.tsx";
import { nudge } from "./nudge.tsx";

type Kinds = typeof KINDS;
/** Names of the kinds other than text that people send, and of the records of calls. */
type KindName = {
  [Type in keyof Kinds]: Kinds[Type] extends
    | { sendable: true | "money"; content: "json" | "empty" }
    | { unread: "missed" }
    ? Kinds[Type]["name"]
    : never;
}[keyof Kinds];

/** Each kind by its name, in the order of the menu. A new kind does not compile without an entry. */
export const MESSAGE_KINDS: Readonly<Record<KindName, MessageKind>> = {
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

/** The bubble of a message of one of these kinds, and a placeholder for the others. */
export function KindBubble(props: BubbleProps) {
  const name = kindOf(props.message.type)?.name ?? "";
  const kind = (MESSAGE_KINDS as Readonly<Record<string, MessageKind | undefined>>)[name];
  const BubbleComponent = kind?.Bubble ?? UnsupportedBubble;
  return <BubbleComponent {...props} />;
}

/** How this client shows a kind of message, and how one sends it. */
export interface MessageKind {
  /** It must survive a content that does not match the schema. */
  readonly Bubble: ComponentType<BubbleProps>;
  /** Its item in the menu of what else can be sent. Without it, this client only shows the kind. */
  readonly menuItem?: KindMenuItem;
}

/** An item of the menu: it sends at once, or opens a dialog that asks what to send. */
export type KindMenuItem = {
  readonly icon: LucideIcon;
  readonly label: TextId;
  /** Only in private chats with somebody else. */
  readonly isForOnePerson?: true;
} & (
  | { readonly Dialog: SendDialog }
  /** Returns whether a message was sent. */
  | { readonly send: (client: Client, key: ChatKey, t: Translate) => boolean }
);
