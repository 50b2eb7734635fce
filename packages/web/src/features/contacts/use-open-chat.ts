import { ChatType } from "@parley/protocol/codes";
import { chatKey } from "@parley/core/model/chats/chat-rows";
import { useLocation } from "wouter";
import { chatPath } from "../../kit/chat-path.ts";

/** Goes to the chat with somebody, oneself included. */
export function useOpenChat(): (userId: number) => void {
  const [, navigate] = useLocation();
  return (userId) => navigate(chatPath(chatKey(ChatType.PRIVATE, userId)));
}
