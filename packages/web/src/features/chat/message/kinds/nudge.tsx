import { Vibrate } from "lucide-react";
import type { Client } from "@parley/core/client-api";
import type { ChatKey, ChatMessage } from "@parley/core/model/state";
import { MessageType } from "@parley/protocol/codes";
import { SHAKE_INTERVAL_MS } from "@parley/protocol/limits";
import { type Translate, useText } from "../../../../kit/i18n/i18n.ts";
import { toasts } from "../../../../kit/dialogs/toasts.ts";
import { ICON_PROPS_16 } from "../../../../ui/icon-props.ts";
import { BubbleFrame, type BubbleProps } from "../bubbles/bubble-frame.tsx";
import type { MessageKind } from "./kinds.tsx";
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

function sendNudge(client: Client, key: ChatKey, t: Translate): boolean {
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

/** Whether the server would refuse another nudge at this time of the device, whose clock is this many ms ahead of the server's. */
export function isNudgeTooSoon(
  messages: readonly ChatMessage[],
  clockAheadMs: number,
  deviceTime: number,
): boolean {
  // A nudge that failed does not count. If the server has it after all, the server refuses the next.
  const last = messages.findLast(
    ({ selfSend, type, sending }) => selfSend && type === MessageType.SHAKE && sending !== "failed",
  );
  if (last === undefined) return false;
  // Until the server has it, a message has the time of the device.
  const now = last.id === null ? deviceTime : deviceTime - clockAheadMs;
  // One from a clock that was ahead says nothing, as for the server.
  return Math.abs(now - (last.receivedAt ?? last.sendTime)) < SHAKE_INTERVAL_MS;
}
