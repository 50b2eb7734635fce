import { Vibrate } from "lucide-react";
import type { Client } from "@parley/core/client-api";
import type { ChatKey } from "@parley/core/model/state";
import { MessageType } from "@parley/protocol/codes";
import { SHAKE_INTERVAL_MS } from "@parley/protocol/limits";
import { type Text, useText } from "../../../../kit/i18n.ts";
import { toasts } from "../../../../kit/toasts.ts";
import { ICON_PROPS_16 } from "../../../../ui/icon-props.ts";
import { BubbleFrame } from "../bubbles/bubble-frame.tsx";
import type { BubbleProps } from "../bubbles/bubble-frame.tsx";
import type { MessageKind } from "./message-kind.ts";
import { isNudgeTooSoon } from "./nudge-interval.ts";
import styles from "./kinds.module.css";

/** Says that somebody sent a nudge. */
function NudgeBubble(props: BubbleProps) {
  const t = useText();
  const { selfSend, group } = props.message;
  return (
    <BubbleFrame {...props}>
      <span className={styles.nudge}>
        <Vibrate {...ICON_PROPS_16} />
        {t(group !== null ? "chat.shakeAll" : selfSend ? "chat.shakeMine" : "chat.shakeTheirs")}
      </span>
    </BubbleFrame>
  );
}

function sendNudge(client: Client, key: ChatKey, t: Text): boolean {
  const { chats, clockAheadMs } = client.getState();
  const messages = chats.byKey[key]?.window.messages ?? [];
  // The server enforces the same limit; checking here avoids a failed message in the chat.
  if (isNudgeTooSoon(messages, clockAheadMs, Date.now())) {
    toasts.error(t("error.message.shakeTooOften", { seconds: SHAKE_INTERVAL_MS / 1_000 }));
    return false;
  }
  client.chats.sendContent(key, MessageType.SHAKE, "");
  return true;
}

export const nudge: MessageKind = {
  Bubble: NudgeBubble,
  menuItem: { icon: Vibrate, label: "compose.shake", isForOnePerson: true, send: sendNudge },
};
