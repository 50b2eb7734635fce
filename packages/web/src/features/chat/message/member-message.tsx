import { parseChatKey } from "@parley/core/model/chats/chat-rows";
import type { ChatKey, ChatMessage } from "@parley/core/model/state";
import { roleOf, useMember } from "../../../kit/group.ts";
import { useClientState } from "../../../kit/use-client.ts";
import type { RunPosition } from "./bubbles/bubble-frame.tsx";
import type { DeliveryStatus } from "./delivery-status.ts";
import { MessageRow } from "./message-row.tsx";

interface MemberMessageProps {
  chatKey: ChatKey;
  message: ChatMessage;
  position: RunPosition;
  status: DeliveryStatus | null;
}

/** The row of a message by another group member. */
export function MemberMessage({ chatKey, message, position, status }: MemberMessageProps) {
  const groupId = parseChatKey(chatKey)?.targetId ?? 0;
  const { sendId, sendNickName, group } = message;
  const member = useMember(groupId, sendId, sendNickName);
  const role = useClientState((state) => roleOf(state, groupId, sendId, group?.sendRole ?? 0));
  return (
    <MessageRow
      chatKey={chatKey}
      message={message}
      position={position}
      sender={member}
      role={role}
      status={status}
    />
  );
}
