import { memo } from "react";
import type { Ref } from "react";
import type { TimelineRow } from "@parley/core/model/chats/timeline";
import type { ChatKey } from "@parley/core/model/state";
import type { Person } from "../../../kit/person.ts";
import { MemberMessage } from "../message/member-message.tsx";
import { MessageRow } from "../message/message-row.tsx";
import type { DeliveryStatus } from "../message/delivery-status.ts";
import type { MountedRow } from "./use-virtual-timeline.ts";
import { RowErrorBoundary } from "./row-error-boundary.tsx";
import { BrokenRow, TimeTip, TipRow, UnreadDivider } from "./tips.tsx";
import styles from "./timeline.module.css";

interface ItemContentProps {
  row: TimelineRow;
  chatKey: ChatKey;
  /** The other person of a private chat; null in groups, where each message has its own sender. */
  peer: Person | null;
  me: Person;
  status: DeliveryStatus | null;
}

interface TimelineItemProps extends ItemContentProps, Pick<MountedRow, "top"> {
  /** Somebody has jumped to it. */
  isFlashing: boolean;
  ref?: Ref<HTMLDivElement>;
}

/** One row of the timeline. A row that fails to render shows an error and does not affect others. */
export function TimelineItem({ ref, top, isFlashing, ...content }: TimelineItemProps) {
  return (
    <div
      ref={ref}
      className={styles.row}
      data-row={content.row.key}
      data-flash={isFlashing ? "" : undefined}
      style={top === null ? undefined : { position: "absolute", insetBlockStart: top }}
    >
      <RowErrorBoundary fallback={<BrokenRow />}>
        <ItemContent {...content} />
      </RowErrorBoundary>
    </div>
  );
}

const ItemContent = memo(function ItemContent({ row, chatKey, peer, me, status }: ItemContentProps) {
  switch (row.kind) {
    case "time":
      return <TimeTip time={row.time} />;
    case "unread":
      return <UnreadDivider />;
    case "tip":
      return <TipRow chatKey={chatKey} message={row.message} />;
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
