import { ChatType } from "@parley/protocol/codes";
import { chatKey } from "@parley/core/model/chats/chat-rows";
import { chatPath } from "../../kit/chats/show-message.ts";
import { goDown } from "../../kit/dialogs/go-up.ts";

/** Opens the chat with a person, including oneself. */
export function openChatWith(userId: number): void {
  goDown(chatPath(chatKey(ChatType.PRIVATE, userId)));
}
