import type { Chat, State } from "@parley/core/model/state";
import { ChatType } from "@parley/protocol/codes";

/** Whether a chat counts quietly: private 0 is silent, a group's 2 never sounds (spec §5). */
export function isMuted(chat: Chat): boolean {
  return chat.type === ChatType.GROUP
    ? chat.msgRemind === 2
    : chat.type === ChatType.PRIVATE && chat.msgRemind === 0;
}

/** What the chat badge and the window title show: unread messages of chats that are not muted. */
export function unreadTotal(state: State): number {
  let total = 0;
  for (const key of state.chats.order) {
    const chat = state.chats.byKey[key];
    if (chat !== undefined && !isMuted(chat)) total += chat.unread;
  }
  return total;
}

/** Requests that wait for my answer. */
export function pendingRequests(state: State): number {
  const me = state.me?.id;
  return state.contacts.requests.filter((request) => request.recvId === me).length;
}
