import { parseChatKey } from "@parley/core/model/rows";
import type { ChatKey, ChatMessage } from "@parley/core/model/state";
import { roleOf, useMember } from "../../../kit/groups.ts";
import { useClientState } from "../../../kit/use-client.ts";
import type { Place } from "../bubbles/frame.tsx";
import type { OwnStatus } from "../conversation/own-status.ts";
import { MessageRow } from "./message-row.tsx";

interface MemberMessageProps {
  chatKey: ChatKey;
  message: ChatMessage;
  place: Place;
  status: OwnStatus | null;
}

/** What another member of a group says. */
export function MemberMessage({ chatKey, message, place, status }: MemberMessageProps) {
  const groupId = parseChatKey(chatKey)?.targetId ?? 0;
  const { sendId, sendNickName, group } = message;
  const member = useMember(groupId, sendId, sendNickName);
  const role = useClientState((state) => roleOf(state, groupId, sendId, group?.sendRole ?? 0));
  return (
    <MessageRow
      chatKey={chatKey}
      message={message}
      place={place}
      sender={member}
      role={role}
      status={status}
    />
  );
}
