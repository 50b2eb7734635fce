import { memo } from "react";
import type { TimelineRow } from "@parley/core/model/chats/timeline";
import type { ChatKey } from "@parley/core/model/state";
import type { Person } from "../../../kit/person.ts";
import { MemberMessage } from "../message/member-message.tsx";
import { MessageRow } from "../message/message-row.tsx";
import type { DeliveryStatus } from "../message/delivery-status.ts";
import { RowErrorBoundary } from "./row-error-boundary.tsx";
import { BrokenRow, TimeTip, TipRow, UnreadDivider } from "./tips.tsx";

interface TimelineItemProps {
  row: TimelineRow;
  chatKey: ChatKey;
  /** null: a group, where each message tells. */
  peer: Person | null;
  me: Person;
  status: DeliveryStatus | null;
}

/** One row of the conversation. A row that cannot be drawn says so and leaves the others alone. */
export function TimelineItem(props: TimelineItemProps) {
  return (
    <RowErrorBoundary fallback={<BrokenRow />}>
      <TimelineItemContent {...props} />
    </RowErrorBoundary>
  );
}

const TimelineItemContent = memo(function RowContent({ row, chatKey, peer, me, status }: TimelineItemProps) {
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
