import { useCallback, useImperativeHandle, useMemo, useRef, useState } from "react";
import type { KeyboardEvent, Ref } from "react";
import { hidesReads } from "@parley/core/model/chats/receipts";
import { messagesOf, timeline } from "@parley/core/model/chats/timeline";
import type { Chat, ChatMessage } from "@parley/core/model/state";
import { useText } from "../../../kit/i18n/i18n.ts";
import type { Person } from "../../../kit/people/person.ts";
import { useClient, useClientState } from "../../../kit/loading/use-client.ts";
import { useUserSetting } from "../../../kit/settings/user-settings.ts";
import { Row, Stack } from "../../../ui/layout.tsx";
import { Spinner } from "../../../ui/spinner.tsx";
import { deliveryStatusOf } from "../message/message-state.ts";
import { Announcer } from "./announcer.tsx";
import { useInitialPosition, usePaging } from "./chat-window.ts";
import { ScrollDownButton, useScrollDown } from "./scroll-down.tsx";
import { MentionButton } from "./mention-button.tsx";
import { TimelineItem } from "./timeline-item.tsx";
import { TimelineSkeleton } from "./timeline-skeleton.tsx";
import { TopOverlay } from "./top-overlay.tsx";
import { useJumpToMessage } from "./use-jump-to-message.ts";
import { useReadTracking } from "./use-read-tracking.ts";
import { useUnreadDivider } from "./use-unread-divider.ts";
import { useVirtualTimeline, VirtualTimeline, type TimelineView } from "./virtual-timeline.ts";
import styles from "./timeline.module.css";

/** What other components can do with the timeline. */
export interface TimelineHandle {
  /** Call it when the person has sent a message: scrolls to the end and removes the unread divider. */
  messageSent(): void;
  /** Scrolls to the newest message. */
  scrollToEnd(): void;
}

interface TimelineProps {
  chat: Chat;
  /** The name of the chat. */
  name: string;
  /** The other person of a private chat; null in groups, where each message has its own sender. */
  peer: Person | null;
  me: Person;
  nameOf: (message: ChatMessage) => string;
  ref: Ref<TimelineHandle>;
}

/** The messages of a chat. */
export function Timeline({ chat, name, peer, me, nameOf, ref }: TimelineProps) {
  const t = useText();
  const client = useClient();
  const { key, window } = chat;
  const [virtualTimeline] = useState(() => new VirtualTimeline());
  const { after, remove, isPulled } = useUnreadDivider(
    chat,
    () => document.hasFocus() && virtualTimeline.isFollowing,
  );
  const [openAt] = useUserSetting("openAt");
  const { isReady, skip } = useInitialPosition(chat, openAt);
  const isLoading = !isReady;
  const rows = useMemo(
    () => (isLoading ? [] : timeline(chat, after, -new Date().getTimezoneOffset())),
    [chat, after, isLoading],
  );

  const scroller = useRef<HTMLDivElement>(null);
  const markRead = useCallback((upTo: number) => client.chats.markReadUpTo(key, upTo), [client, key]);
  const updateRead = useReadTracking(scroller, chat.sync.unread[0] ?? Infinity, markRead);
  const loadPages = usePaging(chat);
  const scrollDown = useScrollDown(chat, rows, virtualTimeline);
  const { update: updateScrollDown } = scrollDown;
  const { hasNewer } = window;
  const handleViewChange = useCallback(
    (view: TimelineView) => {
      updateScrollDown();
      loadPages(view);
      updateRead();
    },
    [updateScrollDown, loadPages, updateRead],
  );
  const content = { rows, isEnd: !hasNewer, isPulled, openAt };
  const mountedRows = useVirtualTimeline(virtualTimeline, content, handleViewChange);
  const setScroller = useCallback(
    (element: HTMLDivElement | null) => {
      scroller.current = element;
      return virtualTimeline.setScroller(element);
    },
    [virtualTimeline],
  );
  const flashingId = useJumpToMessage(key, virtualTimeline);

  useImperativeHandle(ref, () => {
    const scrollToEnd = () => {
      virtualTimeline.scrollToEnd();
      if (hasNewer) client.chats.showNewest(key);
    };
    return {
      scrollToEnd,
      messageSent() {
        remove();
        skip();
        scrollToEnd();
      },
    };
  }, [client, key, hasNewer, remove, skip, virtualTimeline]);

  return (
    <Stack grow className={styles.timeline} data-timeline>
      <Stack
        ref={setScroller}
        grow
        scroll
        className={styles.scroller}
        role="log"
        aria-live="off"
        aria-label={t("chat.messagesWith", { name })}
        aria-busy={isLoading || undefined}
        tabIndex={0}
        onKeyDown={moveFocus}
        onFocus={(event) => {
          virtualTimeline.focusKey = event.target.closest<HTMLElement>("[data-row]")?.dataset["row"] ?? null;
        }}
        onBlur={() => {
          virtualTimeline.focusKey = null;
        }}
        data-landmark="messages"
      >
        <PageStatus state={window.older} onRetry={() => client.chats.loadOlder(key)} />
        <div ref={virtualTimeline.setList} className={styles.list}>
          <TimelineRows
            rows={mountedRows}
            observeRow={virtualTimeline.observeRow}
            chat={chat}
            peer={peer}
            me={me}
            flashingId={flashingId}
          />
        </div>
        {hasNewer && <PageStatus state={window.newer} onRetry={() => client.chats.loadNewer(key)} />}
      </Stack>
      {isLoading && <TimelineSkeleton />}
      <TopOverlay chatKey={key} scroller={scroller} virtualTimeline={virtualTimeline} rows={rows} />
      <Stack gap={16} className={styles.buttons}>
        {chat.sync.mentions.length > 0 && <MentionButton chat={chat} />}
        {scrollDown.isShown && <ScrollDownButton unreadCount={chat.unread} onClick={scrollDown.scroll} />}
      </Stack>
      <Announcer chat={chat} nameOf={nameOf} />
    </Stack>
  );
}

interface TimelineRowsProps extends Pick<TimelineProps, "chat" | "peer" | "me"> {
  rows: ReturnType<typeof useVirtualTimeline>;
  observeRow: VirtualTimeline["observeRow"];
  /** The message that was jumped to. */
  flashingId: number | null;
}

/** The rows that are in the page. One of them shows the delivery status of the newest own message. */
function TimelineRows({ rows, observeRow, chat, peer, me, flashingId }: TimelineRowsProps) {
  const isReadUnknown = useClientState(hidesReads) || peer?.relation === "me";
  const isOffline = useClientState((state) => state.connection.kind === "offline");
  const delivery = useMemo(
    () => deliveryStatusOf(chat, isOffline, isReadUnknown),
    [chat, isOffline, isReadUnknown],
  );
  return rows.map(({ row, top }) => (
    <TimelineItem
      key={row.key}
      ref={observeRow}
      row={row}
      top={top}
      chatKey={chat.key}
      peer={peer}
      me={me}
      status={
        messagesOf(row).some((message) => message.key === delivery?.key) ? (delivery?.status ?? null) : null
      }
      flashingId={messagesOf(row).some((message) => message.id === flashingId) ? flashingId : null}
    />
  ));
}

interface PageStatusProps {
  state: "idle" | "loading" | "failed";
  onRetry: () => void;
}

/** The loading or error state before the first or after the last row. Its height is constant, so that nothing moves. */
function PageStatus({ state, onRetry }: PageStatusProps) {
  const t = useText();
  return (
    <Row align="start" justify="center" tone="tertiary" className={styles.pageStatus}>
      {state === "loading" && <Spinner size={16} />}
      {state === "failed" && (
        <Row align="stretch" gap={8} size={12} line={16} role="status">
          <span>{t("chat.olderFailed")}</span>
          <button type="button" className={styles.retry} onClick={onRetry}>
            {t("app.retry")}
          </button>
        </Row>
      )}
    </Row>
  );
}

/** The arrow keys move the focus one message up or down; from the list itself to its last visible message. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const step = event.key === "ArrowUp" ? -1 : event.key === "ArrowDown" ? 1 : null;
  if (step === null || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  const scroller = event.currentTarget;
  const rows = [...scroller.querySelectorAll<HTMLElement>('[role="article"]')].toSorted(
    (a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top,
  );
  const current = rows.findIndex((row) => row.contains(document.activeElement));
  const bottom = scroller.getBoundingClientRect().bottom;
  const next =
    current < 0
      ? rows.findLast((row) => row.getBoundingClientRect().bottom <= bottom + 1)
      : rows[current + step];
  next?.focus({ preventScroll: true });
  next?.scrollIntoView({ block: "nearest" });
}
