import { Check, Clock3 } from "lucide-react";
import { MessageType } from "@parley/protocol/codes";
import type { ChatMessage } from "@parley/core/model/state";
import { useLocale, useText } from "../../../kit/i18n.ts";
import { clockTime, fullTime } from "../../../kit/time-text.ts";
import { classNames } from "../../../ui/class-names.ts";
import { ICON_14 } from "../../../ui/icon.ts";
import { MessageText } from "./message-text.tsx";
import styles from "./bubble.module.css";

export type Place = "single" | "top" | "mid" | "end";

interface BubbleProps {
  message: ChatMessage;
  place: Place;
}

/** What one message says. A kind this client does not know says so instead. */
export function Bubble({ message, place }: BubbleProps) {
  const t = useText();
  const isMine = message.selfSend;
  if (message.type !== MessageType.TEXT) {
    return (
      <div className={classNames(styles.bubble, styles.unsupported)}>
        {t("chat.unsupported")}
        <Meta message={message} />
      </div>
    );
  }
  return (
    <div
      className={classNames(styles.bubble, isMine ? styles.mine : styles.theirs, styles[place])}
      dir="auto"
    >
      <MessageText text={message.content} />
      <Meta message={message} />
    </div>
  );
}

/** Time and state; floats into the last line when there is room. */
function Meta({ message }: { message: ChatMessage }) {
  const t = useText();
  const locale = useLocale();
  return (
    <span className={styles.meta}>
      <span className={styles.metaLine} dir="ltr">
        {message.isEdited && <span>{t("chat.edited")}</span>}
        {message.selfSend && message.sending !== "failed" && <SendingIcon message={message} />}
        <time dateTime={new Date(message.sendTime).toISOString()} title={fullTime(message.sendTime, locale)}>
          {clockTime(message.sendTime, locale)}
        </time>
      </span>
    </span>
  );
}

function SendingIcon({ message }: { message: ChatMessage }) {
  const t = useText();
  const isSent = message.sending === null;
  const Icon = isSent ? Check : Clock3;
  return (
    <span role="img" aria-label={isSent ? t("chat.sent") : t("chat.sending")}>
      <Icon {...ICON_14} />
    </span>
  );
}
