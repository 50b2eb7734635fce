import { Check, Clock3 } from "lucide-react";
import type { ChatKey, ChatMessage } from "@parley/core/model/state";
import { useLocale, useText } from "../../../../kit/i18n.ts";
import { clockTime, fullTime } from "../../../../kit/time-text.ts";
import { useClientState } from "../../../../kit/use-client.ts";
import { ICON_PROPS_14 } from "../../../../ui/icon-props.ts";
import styles from "./bubble.module.css";

/** Time and delivery state. It floats into the last line if there is room. A tooltip shows the full date and whether it was read. */
export function MessageMeta({ chatKey, message }: { chatKey: ChatKey; message: ChatMessage }) {
  const t = useText();
  const locale = useLocale();
  const { id, sendTime } = message;
  const isRead = useClientState(
    (state) => message.selfSend && id !== null && id <= (state.chats.byKey[chatKey]?.theirReadId ?? -1),
  );
  const sending = message.selfSend && message.sending !== "failed" ? message.sending : undefined;
  const state =
    sending === undefined ? null : t(sending !== null ? "chat.sending" : isRead ? "chat.read" : "chat.sent");
  const editedText =
    message.isEdited && message.editedAt !== null
      ? `${t("chat.edited")} ${fullTime(message.editedAt, locale)}`
      : null;
  const tooltip = [fullTime(sendTime, locale), state, editedText].filter(Boolean).join(" · ");
  const Icon = sending === null ? Check : Clock3;
  return (
    <span className={styles.meta} data-meta>
      <span className={styles.metaLine} dir="ltr" data-tip={tooltip} data-tip-side="top">
        {message.isEdited && <span>{t("chat.edited")}</span>}
        {state !== null && (
          <span role="img" aria-label={state}>
            <Icon {...ICON_PROPS_14} />
          </span>
        )}
        <time dateTime={new Date(sendTime).toISOString()}>{clockTime(sendTime, locale)}</time>
      </span>
    </span>
  );
}
