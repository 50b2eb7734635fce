import { Component, useEffect, useReducer } from "react";
import type { ErrorInfo, ReactNode } from "react";
import type { ChatKey, ChatMessage } from "@parley/core/model/state";
import { useLocale, useText } from "../../../kit/i18n/i18n.ts";
import { tipTime, useToday } from "../../../kit/i18n/time-text.ts";
import { tipText } from "../../../kit/chats/preview-text.ts";
import { useClient, useClientState } from "../../../kit/loading/use-client.ts";
import { useCanWrite, useConversationUi } from "../message/conversation-ui.ts";
import { Row } from "../../../ui/layout.tsx";
import styles from "./tips.module.css";

const RECALLED = "recalled";
/** The core forgets a recalled text after some minutes; the link disappears at most this much later. */
const REFRESH_MS = 10_000;

/** A line with the date or time of the next message. */
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

/** A tip of the server, in the reader's language if its key is known. */
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

/** A link that inserts the text of a message that was just recalled into the composer. */
function ReeditButton({ chatKey, id }: { chatKey: ChatKey; id: number }) {
  const t = useText();
  const client = useClient();
  const ui = useConversationUi();
  const canWrite = useCanWrite();
  const [, refresh] = useReducer((count: number) => count + 1, 0);
  const text = client.chats.recalledText(chatKey, id);
  const hasText = text !== null;
  useEffect(() => {
    if (!hasText) return;
    const timer = window.setInterval(refresh, REFRESH_MS);
    return () => window.clearInterval(timer);
  }, [hasText]);
  if (text === null || !canWrite) return null;
  const reedit = () => {
    client.chats.restoreQuote(chatKey, id);
    ui.composer.current?.insert(text);
  };
  return (
    <button type="button" className={styles.editAgain} onClick={reedit}>
      {t("chat.writeAgain")}
    </button>
  );
}

/** The line above the first unread message. */
export function UnreadDivider() {
  const t = useText();
  return (
    <Row gap={12} size={12} line={16} weight="name" className={styles.divider} data-unread-divider>
      {t("chat.newMessages")}
    </Row>
  );
}

/** Shown instead of a row that failed to render. */
export function BrokenRow() {
  const t = useText();
  return <div className={styles.tip}>{t("chat.brokenMessage")}</div>;
}

interface RowErrorBoundaryProps {
  /** Shown instead of a row that failed to render. */
  fallback: ReactNode;
  children: ReactNode;
}

/** If a message fails to render, only its row shows an error. */
export class RowErrorBoundary extends Component<RowErrorBoundaryProps, { isBroken: boolean }> {
  override state = { isBroken: false };

  static getDerivedStateFromError() {
    return { isBroken: true };
  }

  override componentDidCatch(error: Error, _info: ErrorInfo) {
    reportError(error);
  }

  override render() {
    return this.state.isBroken ? this.props.fallback : this.props.children;
  }
}
