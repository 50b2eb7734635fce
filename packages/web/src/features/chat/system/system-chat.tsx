import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { UIEvent } from "react";
import type { Chat, ChatMessage } from "@parley/core/model/state";
import { useText } from "../../../kit/i18n/i18n.ts";
import { lazyComponent } from "../../../kit/loading/lazy-component.tsx";
import { useClient, useClientState } from "../../../kit/loading/use-client.ts";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { Row } from "../../../ui/layout.tsx";
import { RequestsIllustration } from "../../../ui/lazy-illustrations.tsx";
import { Spinner } from "../../../ui/spinner.tsx";
import { TimelineSkeleton } from "../timeline/timeline-skeleton.tsx";
import { useReadTracking } from "../timeline/use-read-tracking.ts";
import { CardList } from "./card-list.tsx";
import { orderCards } from "./order-cards.ts";
import { SystemCard } from "./system-card.tsx";
import styles from "./system-chat.module.css";

const NoticeReader = lazyComponent(() => import("./notice-reader.tsx").then((part) => part.NoticeReader));

/** Notices and requests, newest first; unanswered requests stay on top. */
export function SystemChat({ chat }: { chat: Chat }) {
  const t = useText();
  const client = useClient();
  const { key } = chat;
  const { messages, hasOlder, older } = chat.window;
  const cards = useMemo(() => orderCards(messages), [messages]);
  const isPulling = useClientState((state) => state.pulled === "never" || state.chats.loading.SYSTEM);
  // The unread dots stay while the chat is open, although cards count as read soon after they are visible.
  const [readIdAtOpen] = useState(chat.readId);
  const [openNotice, setOpenNotice] = useState<ChatMessage | null>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const empty = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The field that had the focus went with the chat before this one.
    if (document.activeElement === document.body)
      (scroller.current ?? empty.current)?.focus({ preventScroll: true });
  }, []);
  const markRead = useCallback((upTo: number) => client.chats.markReadUpTo(key, upTo), [client, key]);
  const updateRead = useReadTracking(scroller, chat.sync.unread[0] ?? Infinity, markRead);

  const loadOlderIfNeeded = useCallback(
    (element: HTMLElement) => {
      const remaining = element.scrollHeight - element.clientHeight - element.scrollTop;
      if (remaining < element.clientHeight && hasOlder && older === "idle") client.chats.loadOlder(key);
    },
    [client, key, hasOlder, older],
  );
  useEffect(() => {
    if (scroller.current !== null) loadOlderIfNeeded(scroller.current);
  }, [loadOlderIfNeeded, cards]);

  if (cards.length === 0) {
    return (
      <Row ref={empty} align="stretch" grow className={styles.empty} tabIndex={-1}>
        {hasOlder || older === "loading" || isPulling ? (
          <TimelineSkeleton />
        ) : (
          <EmptyState illustration={<RequestsIllustration />} text={t("system.empty")} />
        )}
      </Row>
    );
  }
  return (
    <div
      ref={scroller}
      className={styles.scroller}
      role="log"
      aria-live="off"
      aria-label={t("chat.system")}
      tabIndex={0}
      data-landmark="messages"
      onScroll={(event: UIEvent<HTMLDivElement>) => {
        updateRead();
        loadOlderIfNeeded(event.currentTarget);
      }}
    >
      <CardList cards={cards} onLayoutChange={updateRead}>
        {(message) => (
          <SystemCard
            message={message}
            isNew={isUnread(message, readIdAtOpen)}
            onOpenNotice={setOpenNotice}
          />
        )}
      </CardList>
      <Row justify="center" gap={8} size={12} tone="tertiary" className={styles.end}>
        {older === "loading" && <Spinner size={16} />}
        {older === "failed" && (
          <>
            <span>{t("chat.olderFailed")}</span>
            <button type="button" className={styles.retry} onClick={() => client.chats.loadOlder(key)}>
              {t("app.retry")}
            </button>
          </>
        )}
      </Row>
      {openNotice !== null && (
        <NoticeReader
          message={openNotice}
          onClose={() => setOpenNotice(null)}
          onMissing={() => setOpenNotice(null)}
        />
      )}
    </div>
  );
}

function isUnread(message: ChatMessage, readId: number): boolean {
  return message.system !== null && message.system.seqNo > readId;
}
