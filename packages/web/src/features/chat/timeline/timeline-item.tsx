import { memo } from "react";
import type { Ref } from "react";
import type { TimelineRow } from "@parley/core/model/chats/timeline";
import type { ChatKey } from "@parley/core/model/state";
import type { Person } from "../../../kit/people/person.ts";
import type { DeliveryStatus } from "../message/message-state.ts";
import { MemberMessage, MemberPictures, MessageRow, PicturesRow } from "../message/message-row.tsx";
import { BrokenRow, RowErrorBoundary, TimeTip, TipRow, UnreadDivider } from "./tips.tsx";
import type { MountedRow } from "./virtual-timeline.ts";
import styles from "./timeline.module.css";

interface RowProps {
  row: TimelineRow;
  chatKey: ChatKey;
  /** The other person of a private chat; null in groups, where each message has its own sender. */
  peer: Person | null;
  me: Person;
  status: DeliveryStatus | null;
  /** The message of this row that somebody has jumped to; null for none. */
  flashingId: number | null;
}

interface TimelineItemProps extends RowProps, Pick<MountedRow, "top"> {
  ref?: Ref<HTMLDivElement>;
}

/** One row of the timeline. A row that fails to render shows an error and does not affect others. */
export function TimelineItem({ ref, top, ...content }: TimelineItemProps) {
  const { row, flashingId } = content;
  // In a grid of pictures one of the cells flashes.
  const isFlashing = flashingId !== null && row.kind !== "pictures";
  return (
    <div
      ref={ref}
      className={styles.row}
      data-row={row.key}
      data-flash={isFlashing ? "" : undefined}
      style={top === null ? undefined : { position: "absolute", insetBlockStart: top }}
    >
      <RowErrorBoundary fallback={<BrokenRow />}>
        <ItemContent {...content} />
      </RowErrorBoundary>
    </div>
  );
}

const ItemContent = memo(function ItemContent(props: RowProps) {
  const { row, chatKey, peer, me, status, flashingId } = props;
  switch (row.kind) {
    case "time":
      return <TimeTip time={row.time} />;
    case "unread":
      return <UnreadDivider />;
    case "tip":
      return <TipRow chatKey={chatKey} message={row.message} />;
    case "pictures": {
      const [first] = row.messages;
      if (first === undefined) return null;
      const { messages, runPosition } = row;
      const grid = { chatKey, messages, position: runPosition, status, flashingId };
      return peer === null && !first.selfSend ? (
        <MemberPictures {...grid} first={first} />
      ) : (
        <PicturesRow {...grid} sender={first.selfSend || peer === null ? me : peer} />
      );
    }
    case "message":
      return peer === null && !row.message.selfSend ? (
        <MemberMessage chatKey={chatKey} message={row.message} position={row.runPosition} status={status} />
      ) : (
        <MessageRow
          chatKey={chatKey}
          message={row.message}
          position={row.runPosition}
          sender={row.message.selfSend || peer === null ? me : peer}
          status={status}
        />
      );
  }
});
