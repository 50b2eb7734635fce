import { Check, Clock3 } from "lucide-react";
import type { ChatKey, ChatMessage } from "@parley/core/model/state";
import { useLocale, useText } from "../../../../kit/i18n.ts";
import { clockTime, fullTime } from "../../../../kit/time-text.ts";
import { useClientState } from "../../../../kit/use-client.ts";
import { ICON_PROPS_14 } from "../../../../ui/icon-props.ts";
import styles from "./bubble.module.css";

/** Time and state; floats into the last line when there is room. The whole date, and whether it was read, show on hover. */
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
  const edited =
    message.isEdited && message.editedAt !== null
      ? `${t("chat.edited")} ${fullTime(message.editedAt, locale)}`
      : null;
  const tip = [fullTime(sendTime, locale), state, edited].filter(Boolean).join(" · ");
  const Icon = sending === null ? Check : Clock3;
  return (
    <span className={styles.meta} data-meta>
      <span className={styles.metaLine} dir="ltr" data-tip={tip} data-tip-side="top">
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
