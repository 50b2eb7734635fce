import { useCallback, useEffect, useImperativeHandle, useMemo, useRef, useState } from "react";
import type { KeyboardEvent, Ref } from "react";
import { Virtualizer } from "virtua";
import { positionOf } from "@parley/core/model/rows";
import { timeline } from "@parley/core/model/timeline";
import type { Chat } from "@parley/core/model/state";
import { useText } from "../../../kit/i18n.ts";
import type { Person } from "../../../kit/people.ts";
import { useClient } from "../../../kit/use-client.ts";
import { Above } from "./above.tsx";
import { Announcer } from "./announcer.tsx";
import { DownButton } from "./down-button.tsx";
import { ownStatus } from "./own-status.ts";
import { stepFocus } from "./step-focus.ts";
import { Row } from "./row.tsx";
import { TimelineSkeleton } from "./timeline-skeleton.tsx";
import { TopLine } from "./top-line.tsx";
import { useDivider } from "./use-divider.ts";
import { useOpening } from "./use-opening.ts";
import { useReadReport } from "./use-read-report.ts";
import { HEAD_PX, useTimelineScroll } from "./use-timeline-scroll.ts";
import styles from "./timeline.module.css";

/** Older messages are asked for when less than this many view heights are left above. */
const AHEAD = 2;
/** Rows are mounted and measured this far outside the view, so that no turn of a wheel shows one whose height is not yet known. */
const BUFFER_PX = 1_000;
const SETTLE_MS = 50;

export interface TimelineHandle {
  /** The person wrote something: to the bottom, and the unread divider has done its work. */
  wrote(): void;
}

interface TimelineProps {
  chat: Chat;
  peer: Person;
  me: Person;
  ref: Ref<TimelineHandle>;
}

/** The messages of a chat. */
export function Timeline({ chat, peer, me, ref }: TimelineProps) {
  const t = useText();
  const client = useClient();
  const { key } = chat;
  const follows = useRef(true);
  const { after, drop } = useDivider(chat, () => document.hasFocus() && follows.current);
  const isOpening = !useOpening(chat);
  const rows = useMemo(
    () => (isOpening ? [] : timeline(chat, after, -new Date().getTimezoneOffset())),
    [chat, after, isOpening],
  );

  const older = useRef(chat.window);
  useEffect(() => {
    older.current = chat.window;
  }, [chat.window]);
  const asking = useRef(0);
  const askOlder = useCallback(
    (fromTop: number, height: number) => {
      const { hasOlder, older: state } = older.current;
      if (asking.current !== 0 || fromTop > height * AHEAD || !hasOlder || state !== "idle") return;
      // Rows that a jump has just brought into view are measured first, so that the new ones above find them at their place.
      asking.current = window.setTimeout(() => {
        asking.current = 0;
        client.chats.loadOlder(key);
      }, SETTLE_MS);
    },
    [client, key],
  );
  useEffect(() => () => window.clearTimeout(asking.current), []);

  const look = useRef(() => {});
  const onMove = useCallback(
    (fromTop: number, height: number) => {
      askOlder(fromTop, height);
      look.current();
    },
    [askOlder],
  );
  const { scroller, list, shown, isFar, toBottom, toRow, isAboveBottom, settle } = useTimelineScroll(
    rows,
    follows,
    onMove,
  );
  const markSeen = useCallback((upTo: number) => client.chats.markSeen(key, upTo), [client, key]);
  const lookAgain = useReadReport(scroller, chat.book.unread[0] ?? Infinity, markSeen);
  useEffect(() => {
    look.current = lookAgain;
    lookAgain();
  });

  useImperativeHandle(
    ref,
    () => ({
      wrote() {
        drop();
        toBottom();
      },
    }),
    [drop, toBottom],
  );

  /** The first press leads to the first unread message, the second to the bottom. */
  const hasJumped = useRef(false);
  const goDown = () => {
    const [unseen] = chat.book.unread;
    const index = shown.rows.findIndex(
      (row) => row.kind === "message" && !row.message.selfSend && positionOf(row.message) === unseen,
    );
    const isFirst = !hasJumped.current && index >= 0 && !isAboveBottom(index);
    hasJumped.current = isFirst;
    if (isFirst) toRow(index);
    else toBottom(true);
  };

  const [focusKey, setFocusKey] = useState<string | null>(null);
  const keepMounted = useMemo(() => {
    const index = focusKey === null ? -1 : shown.rows.findIndex((row) => row.key === focusKey);
    return index < 0 ? [] : [index];
  }, [focusKey, shown.rows]);
  const press = (event: KeyboardEvent) => {
    const step = event.key === "ArrowUp" ? -1 : event.key === "ArrowDown" ? 1 : null;
    if (step === null || event.altKey || event.ctrlKey || event.metaKey || scroller.current === null) return;
    event.preventDefault();
    stepFocus(scroller.current, step);
  };

  const own = useMemo(() => ownStatus(chat), [chat]);

  return (
    <div className={styles.timeline}>
      <div
        ref={scroller}
        className={styles.scroller}
        role="log"
        aria-live="off"
        aria-label={t("chat.messagesWith", { name: peer.name })}
        aria-busy={isOpening || undefined}
        tabIndex={0}
        onKeyDown={press}
        onFocus={(event) =>
          setFocusKey(event.target.closest<HTMLElement>("[data-key]")?.dataset["key"] ?? null)
        }
        onBlur={() => setFocusKey(null)}
        data-landmark="messages"
      >
        <TopLine older={chat.window.older} onRetry={() => client.chats.loadOlder(key)} />
        <Virtualizer
          ref={list}
          data={shown.rows}
          shift={shown.isShift}
          startMargin={HEAD_PX}
          bufferSize={BUFFER_PX}
          keepMounted={keepMounted}
          onResize={settle}
        >
          {(row) => (
            <Row
              key={row.key}
              row={row}
              chatKey={key}
              peer={peer}
              me={me}
              status={row.key === own?.key ? own.status : null}
            />
          )}
        </Virtualizer>
      </div>
      {isOpening && <TimelineSkeleton />}
      <Above scroller={scroller} list={list} rows={shown.rows} onGo={toRow} />
      {isFar && <DownButton unseen={chat.unread} onClick={goDown} />}
      <Announcer chat={chat} name={peer.name} />
    </div>
  );
}
