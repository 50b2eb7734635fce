import { useCallback, useImperativeHandle, useMemo, useRef, useState } from "react";
import type { KeyboardEvent, Ref } from "react";
import { timeline } from "@parley/core/model/timeline";
import type { Chat, ChatMessage } from "@parley/core/model/state";
import { useText } from "../../../kit/i18n.ts";
import { lazyPart } from "../../../kit/lazy-part.tsx";
import type { Person } from "../../../kit/people.ts";
import { useClient, useClientState } from "../../../kit/use-client.ts";
import { Above } from "./above.tsx";
import { Announcer } from "./announcer.tsx";
import { DownButton } from "./down-button.tsx";
import { EndLine } from "./end-line.tsx";
import { ownStatus } from "./own-status.ts";
import { Row } from "./row.tsx";
import { Stage, type View } from "./stage.ts";
import { stepFocus } from "./step-focus.ts";
import { TimelineSkeleton } from "./timeline-skeleton.tsx";
import { useDivider } from "./use-divider.ts";
import { isUnseenBelow, useDown } from "./use-down.ts";
import { useJump } from "./use-jump.ts";
import { useOpening } from "./use-opening.ts";
import { usePaging } from "./use-paging.ts";
import { useReadReport } from "./use-read-report.ts";
import { useStage } from "./use-stage.ts";
import styles from "./timeline.module.css";

const MentionButton = lazyPart(() => import("../in-groups.ts").then((part) => part.MentionButton));

/** The down button shows from here on, or while something unseen lies below the view. */
const FAR_PX = 240;

export interface TimelineHandle {
  /** The person wrote something: to the bottom, and the unread divider has done its work. */
  wrote(): void;
  /** To the newest message. */
  toEnd(): void;
}

interface TimelineProps {
  chat: Chat;
  /** Whom it is with. */
  name: string;
  /** The other one; null: a group, where each message tells. */
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
  const [stage] = useState(() => new Stage());
  const { after, drop, isPulled } = useDivider(chat, () => document.hasFocus() && stage.follows);
  const { isThere, skip } = useOpening(chat);
  const isOpening = !isThere;
  const rows = useMemo(
    () => (isOpening ? [] : timeline(chat, after, -new Date().getTimezoneOffset())),
    [chat, after, isOpening],
  );

  const scroller = useRef<HTMLDivElement>(null);
  const markSeen = useCallback((upTo: number) => client.chats.markSeen(key, upTo), [client, key]);
  const look = useReadReport(scroller, chat.book.unread[0] ?? Infinity, markSeen);
  const page = usePaging(chat);
  const [hasDown, setHasDown] = useState(false);
  const hadDown = useRef(false);
  const { hasNewer } = window;
  const move = useCallback(
    (view: View) => {
      const isWanted = hasNewer || view.below > FAR_PX || isUnseenBelow(chat, rows, stage);
      // Asking React about what it knows already may cost a commit of nothing.
      if (isWanted !== hadDown.current) setHasDown(isWanted);
      hadDown.current = isWanted;
      page(view);
      look();
    },
    [chat, rows, stage, hasNewer, page, look],
  );
  const range = useStage(stage, { rows, isEnd: !hasNewer, isPulled }, move);
  const setScroller = useCallback(
    (element: HTMLDivElement | null) => {
      scroller.current = element;
      return stage.setScroller(element);
    },
    [stage],
  );
  const flashing = useJump(key, stage);
  const goDown = useDown(chat, rows, stage);

  useImperativeHandle(ref, () => {
    const toEnd = () => {
      stage.toEnd();
      if (hasNewer) client.chats.toNewest(key);
    };
    return {
      toEnd,
      wrote() {
        drop();
        skip();
        toEnd();
      },
    };
  }, [client, key, hasNewer, drop, skip, stage]);

  const press = (event: KeyboardEvent) => {
    const step = event.key === "ArrowUp" ? -1 : event.key === "ArrowDown" ? 1 : null;
    if (step === null || event.altKey || event.ctrlKey || event.metaKey || scroller.current === null) return;
    event.preventDefault();
    stepFocus(scroller.current, step);
  };

  const isNotes = peer?.relation === "me";
  const isOffline = useClientState((state) => state.connection.kind === "offline");
  const own = useMemo(() => ownStatus(chat, isOffline, isNotes), [chat, isOffline, isNotes]);
  const shown = rows.slice(range.first, range.end);
  // The row with the focus stays, or the keyboard would fall out of the conversation.
  const kept = stage.focusKey === null ? -1 : stage.heights.indexOf(stage.focusKey);
  const keptRow = kept < range.first || kept >= range.end ? rows[kept] : undefined;
  const drawn =
    keptRow === undefined ? shown : kept < range.first ? [keptRow, ...shown] : [...shown, keptRow];

  return (
    <div className={styles.timeline} data-timeline>
      <div
        ref={setScroller}
        className={styles.scroller}
        role="log"
        aria-live="off"
        aria-label={t("chat.messagesWith", { name })}
        aria-busy={isOpening || undefined}
        tabIndex={0}
        onKeyDown={press}
        onFocus={(event) => {
          stage.focusKey = event.target.closest<HTMLElement>("[data-row]")?.dataset["row"] ?? null;
        }}
        onBlur={() => {
          stage.focusKey = null;
        }}
        data-landmark="messages"
      >
        <EndLine state={window.older} onRetry={() => client.chats.loadOlder(key)} />
        <div ref={stage.setList} className={styles.list}>
          {drawn.map((row) => (
            <div
              key={row.key}
              ref={stage.mountRow}
              className={styles.row}
              data-row={row.key}
              data-flash={
                (row.kind === "message" || row.kind === "tip") &&
                row.message.id === flashing &&
                flashing !== null
                  ? ""
                  : undefined
              }
              style={
                row === keptRow
                  ? { position: "absolute", insetBlockStart: stage.heights.edge(kept) }
                  : undefined
              }
            >
              <Row
                row={row}
                chatKey={key}
                peer={peer}
                me={me}
                status={row.key === own?.key ? own.status : null}
              />
            </div>
          ))}
        </div>
        {hasNewer && <EndLine state={window.newer} onRetry={() => client.chats.loadNewer(key)} />}
      </div>
      {isOpening && <TimelineSkeleton />}
      <Above chatKey={key} scroller={scroller} stage={stage} rows={rows} />
      <div className={styles.ways}>
        {chat.book.mentions.length > 0 && <MentionButton chat={chat} />}
        {hasDown && <DownButton unseen={chat.unread} onClick={goDown} />}
      </div>
      <Announcer chat={chat} nameOf={nameOf} />
    </div>
  );
}
