import { useEffect, useReducer } from "react";
import type { ChatKey, ChatMessage } from "@parley/core/model/state";
import { useLocale, useText } from "../../../kit/i18n.ts";
import { tipTime } from "../../../kit/time-text.ts";
import { tipText } from "../../../kit/tip-text.ts";
import { useClient, useClientState } from "../../../kit/use-client.ts";
import { useToday } from "../../../kit/use-today.ts";
import { useConversationUi } from "../message/conversation-ui.ts";
import { useCanWrite } from "../message/use-can-write.ts";
import styles from "./tips.module.css";

const RECALLED = "recalled";
/** The core forgets a recalled text after some minutes; the link goes within this time after. */
const REFRESH_MS = 10_000;

export function TimeTip({ time }: { time: number }) {
  const t = useText();
  const locale = useLocale();
  useToday();
  return (
    <div className={styles.tip} data-text>
      {tipTime(time, Date.now(), locale, t)}
    </div>
  );
}

/** A sentence of the server, in the reader's language where it is known. */
export function TipRow({ chatKey, message }: { chatKey: ChatKey; message: ChatMessage }) {
  const t = useText();
  const me = useClientState((state) => state.me?.id ?? null);
  return (
    <div
      className={styles.tip}
      dir="auto"
      data-key={message.key}
      data-mid={message.id ?? message.key}
      data-seen-id={message.selfSend ? undefined : (message.id ?? undefined)}
    >
      {message.tip === null ? message.content : tipText(message.tip, message, me, t)}
      {message.selfSend && message.tip?.key === RECALLED && message.id !== null && (
        <ReeditButton chatKey={chatKey} id={message.id} />
      )}
    </div>
  );
}

/** Puts the words of a message that was just recalled back into the composer. */
function ReeditButton({ chatKey, id }: { chatKey: ChatKey; id: number }) {
  const t = useText();
  const client = useClient();
  const ui = useConversationUi();
  const canWrite = useCanWrite();
  const [, refresh] = useReducer((count: number) => count + 1, 0);
  const text = client.chats.recalledText(chatKey, id);
  const isThere = text !== null;
  useEffect(() => {
    if (!isThere) return;
    const timer = window.setInterval(refresh, REFRESH_MS);
    return () => window.clearInterval(timer);
  }, [isThere]);
  if (text === null || !canWrite) return null;
  const reedit = () => {
    client.chats.restoreQuote(chatKey, id);
    ui.composer.current?.insert(text);
  };
  return (
    <button type="button" className={styles.again} onClick={reedit}>
      {t("chat.writeAgain")}
    </button>
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
