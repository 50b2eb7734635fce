import { ChatType } from "@parley/protocol/codes";
import { chatKey } from "@parley/core/model/chats/chat-rows";
import { useLocation } from "wouter";
import { chatPath } from "../../kit/chat-path.ts";

/** Returns a function that opens the chat with a person, including oneself. */
export function useOpenChat(): (userId: number) => void {
  const [, navigate] = useLocation();
  return (userId) => navigate(chatPath(chatKey(ChatType.PRIVATE, userId)));
}
