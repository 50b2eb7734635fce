import { ChatType } from "@parley/protocol/codes";
import { chatKey } from "@parley/core/model/chats/chat-rows";
import type { ChatKey, State } from "@parley/core/model/state";
import type { DeepLink } from "@parley/desktop/bridge/deep-link";

/**
 * The chat that a link opens. `refused`: anybody may write a link, and this one is of somebody who is no friend, or of a group in which the
 * person is not. `unknown`: friends and groups are not loaded yet.
 */
export function chatOfLink(
  { chat, id }: Extract<DeepLink, { kind: "chat" }>,
  { session, contacts, groups }: Pick<State, "session" | "contacts" | "groups">,
): ChatKey | "refused" | "unknown" {
  if (session.kind !== "active") return "unknown";
  const list = chat === "private" ? contacts : groups;
  const isMine = list.order.includes(id) || (chat === "private" && id === session.userId);
  if (isMine) return chatKey(chat === "private" ? ChatType.PRIVATE : ChatType.GROUP, id);
  return list.isLoaded ? "refused" : "unknown";
}
