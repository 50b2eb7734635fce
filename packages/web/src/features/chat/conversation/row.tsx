import { memo } from "react";
import type { TimelineRow } from "@parley/core/model/timeline";
import type { ChatKey } from "@parley/core/model/state";
import type { Person } from "../../../kit/people.ts";
import { MessageRow } from "../message/message-row.tsx";
import type { OwnStatus } from "./own-status.ts";
import { RowBoundary } from "./row-boundary.tsx";
import { BrokenRow, TimeTip, TipRow, UnreadDivider } from "./tips.tsx";

interface RowProps {
  row: TimelineRow;
  chatKey: ChatKey;
  peer: Person;
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
      return (
        <MessageRow
          chatKey={chatKey}
          message={row.message}
          place={row.place}
          sender={row.message.selfSend ? me : peer}
          status={status}
        />
      );
  }
});
