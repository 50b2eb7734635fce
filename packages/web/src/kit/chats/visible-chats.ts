import { ChatType } from "@parley/protocol/codes";
import { chatListOrder } from "@parley/core/model/chats/first-chats";
import { parseChatKey } from "@parley/core/model/chats/chat-rows";
import type { ChatKey, State } from "@parley/core/model/state";

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
