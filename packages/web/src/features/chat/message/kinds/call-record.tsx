import { Phone, Video } from "lucide-react";
import { MessageType } from "@parley/protocol/codes";
import type { CallMode } from "@parley/protocol/entities";
import type { ChatMessage } from "@parley/core/model/state";
import { callTime } from "../../../../kit/i18n/time-text.ts";
import { useText } from "../../../../kit/i18n/i18n.ts";
import type { Translate } from "../../../../kit/i18n/i18n.ts";
import { useClient, useClientState } from "../../../../kit/loading/use-client.ts";
import { ICON_PROPS } from "../../../../ui/icon-props.ts";
import { BubbleFrame, type BubbleProps } from "../bubbles/bubble-frame.tsx";
import type { MessageKind } from "./kinds.tsx";
import styles from "./kinds.module.css";

/** How a call between two people ended. A click calls the friend again, in the same way. */
function CallRecordBubble(props: BubbleProps) {
  const t = useText();
  const { calls } = useClient();
  const { chatKey, message } = props;
  const mode: CallMode = message.type === MessageType.ACT_RT_VIDEO ? "video" : "voice";
  const friendId = useClientState(({ chats, contacts }) => {
    const targetId = chats.byKey[chatKey]?.targetId ?? 0;
    const friend = contacts.friends[targetId];
    return friend === undefined || friend.isDeleted ? null : targetId;
  });
  const Icon = mode === "video" ? Video : Phone;
  const content = (
    <>
      <Icon {...ICON_PROPS} className={styles.callIcon} />
      {recordText(message, mode, t)}
    </>
  );
  return (
    <BubbleFrame {...props}>
      {friendId === null ? (
        <span className={styles.call}>{content}</span>
      ) : (
        <button
          type="button"
          className={styles.call}
          data-tip={t("call.again")}
          onClick={() => calls.start(friendId, mode)}
        >
          {content}
          <span className="visually-hidden">{t("call.again")}</span>
        </button>
      )}
    </BubbleFrame>
  );
}

/** In the reader's words; the server's own if it names an end that is not known here. */
function recordText({ act, content, selfSend }: ChatMessage, mode: CallMode, t: Translate): string {
  const name = t(`call.${mode}`);
  const side = selfSend ? "mine" : "theirs";
  switch (act?.result) {
    case "ended":
      return t("call.record.ended", { name, time: callTime(act.seconds) });
    case "cancelled":
    case "rejected":
    case "unanswered":
    case "busy":
    case "failed":
      return t(`call.record.${act.result}`, { name, side });
    default:
      return content || name;
  }
}

export const callRecord: MessageKind = { Bubble: CallRecordBubble };
