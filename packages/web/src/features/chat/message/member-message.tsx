import type { ComponentProps } from "react";
import { parseChatKey } from "@parley/core/model/chats/chat-rows";
import type { ChatKey, ChatMessage } from "@parley/core/model/state";
import { roleOf, useMember } from "../../../kit/group.ts";
import { useClientState } from "../../../kit/use-client.ts";
import type { RunPosition } from "./bubbles/bubble-frame.tsx";
import type { DeliveryStatus } from "./delivery-status.ts";
import { MessageRow } from "./message-row.tsx";
import { PicturesRow } from "./pictures-row.tsx";

interface MemberMessageProps {
  chatKey: ChatKey;
  message: ChatMessage;
  position: RunPosition;
  status: DeliveryStatus | null;
}

/** The row of a message by another group member. */
export function MemberMessage(props: MemberMessageProps) {
  return <MessageRow {...props} {...useMemberSender(props.chatKey, props.message)} />;
}

type MemberPicturesProps = Omit<ComponentProps<typeof PicturesRow>, "sender" | "role"> & {
  first: ChatMessage;
};

/** The row of a grid of pictures by another group member. */
export function MemberPictures({ first, ...props }: MemberPicturesProps) {
  return <PicturesRow {...props} {...useMemberSender(props.chatKey, first)} />;
}

/** The sender of a message in a group, with name and role there. */
function useMemberSender(chatKey: ChatKey, { sendId, sendNickName, group }: ChatMessage) {
  const groupId = parseChatKey(chatKey)?.targetId ?? 0;
  const sender = useMember(groupId, sendId, sendNickName);
  const role = useClientState((state) => roleOf(state, groupId, sendId, group?.sendRole ?? 0));
  return { sender, role };
}
