import type { ChatMessage } from "@parley/core/model/state";
import { useLocale, useText } from "../../../kit/i18n.ts";
import { tipTime } from "../../../kit/time-text.ts";
import { tipText } from "../../../kit/tip-text.ts";
import styles from "./tips.module.css";

export function TimeTip({ time }: { time: number }) {
  const t = useText();
  const locale = useLocale();
  return (
    <div className={styles.tip} data-text>
      {tipTime(time, Date.now(), locale, t)}
    </div>
  );
}

/** A sentence of the server, in the reader's language where it is known. */
export function TipRow({ message }: { message: ChatMessage }) {
  const t = useText();
  return (
    <div
      className={styles.tip}
      dir="auto"
      data-key={message.key}
      data-mid={message.id ?? message.key}
      data-seen-id={message.selfSend ? undefined : (message.id ?? undefined)}
    >
      {message.tip === null ? message.content : tipText(message.tip, message.content, t)}
    </div>
  );
}

export function UnreadDivider() {
  const t = useText();
  return (
    <div className={styles.divider} data-unread-divider>
      {t("chat.newMessages")}
    </div>
  );
}

export function BrokenRow() {
  const t = useText();
  return <div className={styles.tip}>{t("chat.brokenMessage")}</div>;
}
