import { memo } from "react";
import type { TimelineRow } from "@parley/core/model/timeline";
import type { ChatKey } from "@parley/core/model/state";
import type { Person } from "../../../kit/people.ts";
import { MemberMessage } from "../message/member-message.tsx";
import { MessageRow } from "../message/message-row.tsx";
import type { OwnStatus } from "./own-status.ts";
import { RowBoundary } from "./row-boundary.tsx";
import { BrokenRow, TimeTip, TipRow, UnreadDivider } from "./tips.tsx";

interface RowProps {
  row: TimelineRow;
  chatKey: ChatKey;
  /** null: a group, where each message tells. */
  peer: Person | null;
  me: Person;
  status: OwnStatus | null;
}

/** One row of the conversation. A row that cannot be drawn says so and leaves the others alone. */
export function Row(props: RowProps) {
  return (
    <RowBoundary fallback={<BrokenRow />}>
      <RowContent {...props} />
    </RowBoundary>
  );
}

const RowContent = memo(function RowContent({ row, chatKey, peer, me, status }: RowProps) {
  switch (row.kind) {
    case "time":
      return <TimeTip time={row.time} />;
    case "unread":
      return <UnreadDivider />;
    case "tip":
      return <TipRow chatKey={chatKey} message={row.message} />;
    case "message":
      return peer === null && !row.message.selfSend ? (
        <MemberMessage chatKey={chatKey} message={row.message} place={row.place} status={status} />
      ) : (
        <MessageRow
          chatKey={chatKey}
          message={row.message}
          place={row.place}
          sender={row.message.selfSend || peer === null ? me : peer}
          status={status}
        />
      );
  }
});
