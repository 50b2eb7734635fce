import { ChatType } from "@parley/protocol/codes";
import type { Chat, ChatKey, Chats, State } from "@parley/core/model/state";
import {
  hasUnread,
  isArchived,
  isMarkedUnread,
  isMuted,
  type PrefState,
} from "@parley/core/model/chats/chat-prefs";
import { chatListOrder } from "@parley/core/model/chats/first-chats";
import { parseChatKey } from "@parley/core/model/chats/chat-rows";

/** The next chat in this direction; null at the ends. If no chat is open, the first or the last one. */
export function nextChat(order: readonly ChatKey[], openKey: ChatKey | null, step: 1 | -1): ChatKey | null {
  const found = openKey === null ? -1 : order.indexOf(openKey);
  const start = found < 0 && step < 0 ? order.length : found;
  return order[start + step] ?? null;
}

/**
 * The next unread chat in this direction, wrapping around; null if there is none. Archived chats are left out, and muted ones come only
 * when no other is unread, unless they mention the reader (interface §18).
 */
export function nextUnread(state: UnreadState, openKey: ChatKey | null, step: 1 | -1): ChatKey | null {
  const { order, byKey } = state.chats;
  const found = openKey === null ? -1 : order.indexOf(openKey);
  const start = found < 0 && step < 0 ? order.length : found;
  const others = order.map((_, index) => order.at((start + step * (index + 1)) % order.length));
  const isOtherUnread = (key: ChatKey | undefined): key is ChatKey =>
    key !== undefined && key !== openKey && isUnread(state, byKey[key]);
  const unread = others.filter(isOtherUnread);
  return unread.find((key) => !isSilent(state, byKey[key])) ?? unread[0] ?? null;
}

/** What says whether chats are unread. */
type UnreadState = PrefState & { readonly chats: Pick<Chats, "order" | "byKey"> };

function isUnread(state: UnreadState, chat: Chat | undefined): boolean {
  return chat !== undefined && hasUnread(state, chat) && !isArchived(state, chat);
}

function isSilent(state: UnreadState, chat: Chat | undefined): boolean {
  if (chat === undefined) return true;
  // A mention counts although the chat is muted.
  return isMuted(chat) && !isMarkedUnread(state, chat) && !chat.atMe && !chat.atAll;
}

type ListState = Pick<State, "chats" | "contacts" | "groups" | "me" | "firstChats">;

/** The chats that are offered to the person, in the order of the list: all but the strays. The same array as the order if there are none. */
export function visibleChats(state: ListState): readonly ChatKey[] {
  const order = chatListOrder(state);
  const visible = order.filter((key) => !isStray(state, key));
  return visible.length === order.length ? order : visible;
}

/** An empty chat with a group that I was never in, or a person who never was a friend; it exists because its URL was opened. */
function isStray({ chats, contacts, groups, me, firstChats }: ListState, key: ChatKey): boolean {
  const target = parseChatKey(key);
  if (target === null || firstChats?.byKey[key] !== undefined) return false;
  const { type, targetId } = target;
  const isUnknown =
    (type === ChatType.GROUP && groups.isLoaded && groups.byId[targetId] === undefined) ||
    (type === ChatType.PRIVATE &&
      contacts.isLoaded &&
      contacts.friends[targetId] === undefined &&
      targetId !== me?.id);
  if (!isUnknown) return false;
  const chat = chats.byKey[key];
  return (
    chat !== undefined && chat.sync.newest === null && chat.draft === "" && chat.window.messages.length === 0
  );
}
