import type { ComponentType } from "react";
import type { LucideIcon } from "lucide-react";
import type { Client } from "@parley/core/client-api";
import type { ChatKey } from "@parley/core/model/state";
import type { Text, TextId } from "../../../../kit/i18n.ts";
import type { BubbleProps } from "../bubbles/bubble-frame.tsx";
import type { SendDialog } from "../conversation-ui.ts";

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
  | { readonly send: (client: Client, key: ChatKey, t: Text) => boolean }
);
