import { ChatType } from "@parley/protocol/codes";
import type { FirstChat } from "@parley/protocol/endpoints/first-chats";
import type { Chat, ChatKey, ChatMessage, FirstChats, ShownFirstChat, State } from "../state.ts";
import { chatKey, toChatMessage, toSystemMessage } from "./chat-rows.ts";
import { newestRowOf } from "./insert-row.ts";
import { newChat } from "./new-chat.ts";
import { previewOf } from "./preview.ts";

/**
 * The top of the chat list, as the server answers it to a device that has nothing. It is a view beside the chats: nothing of it is stored,
 * counted, sounded or synchronised, and it ends as a whole when the first pulls have ended.
 */

/** The view of an answer. A chat whose name is not known is left out, because nobody would recognise it. */
export function readFirstChats(answer: readonly FirstChat[], me: number): FirstChats {
  const byKey: Record<ChatKey, ShownFirstChat> = {};
  const order: ChatKey[] = [];
  for (const chat of answer) {
    const key = chatKey(chat.type, chat.targetId);
    const shown = shownChat(key, chat, me);
    const isNamed = chat.name !== null || chat.type === ChatType.SYSTEM || chat.targetId === me;
    if (shown === null || !isNamed || byKey[key] !== undefined) continue;
    const { name, headImage, firstUnreadId } = chat;
    byKey[key] = { chat: shown, name, headImage, firstUnreadId };
    order.push(key);
  }
  return { byKey, order };
}

function shownChat(key: ChatKey, first: FirstChat, me: number): Chat | null {
  const message: ChatMessage =
    first.type === ChatType.SYSTEM ? toSystemMessage(first.message) : toChatMessage(first.message, me);
  const preview = previewOf(message);
  if (preview === null || message.id === null) return null;
  const chat = newChat(key, { historyStart: NO_HISTORY, friends: {}, groups: {} });
  const { isTop, msgRemind, unread, atMe, atAll, mine, theirs } = first;
  return {
    ...chat,
    preview,
    lastSendTime: message.sendTime,
    unread,
    isTop,
    msgRemind: msgRemind ?? chat.msgRemind,
    readId: mine,
    theirReadId: theirs,
    atMe,
    atAll,
    sync: { ...chat.sync, newest: newestRowOf(message, message.id, preview) },
  };
}

const NO_HISTORY = { PRIVATE: Infinity, GROUP: Infinity, SYSTEM: Infinity };

/** What the list shows of a chat: the view, with what the person has done in the chat since. */
export function listedChat(first: Chat | undefined, chat: Chat | undefined): Chat | undefined {
  if (first === undefined || chat === undefined) return chat ?? first;
  const [shown, known] = [first.sync.newest, chat.sync.newest];
  const isNewer = chat.preview !== null && (known?.id ?? Infinity) >= (shown?.id ?? 0);
  const isRead = chat.readId >= (shown?.position ?? 0);
  return {
    ...chat,
    ...(!isNewer && { preview: first.preview, lastSendTime: first.lastSendTime, sync: first.sync }),
    isTop: first.isTop,
    msgRemind: first.msgRemind,
    unread: isRead ? chat.unread : Math.max(chat.unread, first.unread),
    atMe: !isRead && first.atMe,
    atAll: !isRead && first.atAll,
  };
}

/** The keys of the chat list in order. Chats that were opened beside the view come first. */
export function chatListOrder({
  chats,
  firstChats,
}: Pick<State, "chats" | "firstChats">): readonly ChatKey[] {
  if (firstChats === null) return chats.order;
  return [
    ...chats.order.filter((key) => firstChats.byKey[key] === undefined),
    ...firstChats.order.filter((key) => chats.byKey[key]?.isRemoved !== true),
  ];
}

/** Whether an empty chat list says nothing yet: rows may come from the local database or from pulls that have not ended. */
export function isChatListLoading({
  session,
  connection,
  contacts,
  pulled,
}: Pick<State, "session" | "connection" | "contacts" | "pulled">): boolean {
  if (session.kind === "restoring" || !contacts.isLoaded || pulled === "never") return true;
  // Without a connection nothing comes, and what this device has is all.
  const isWaiting = connection.kind === "waiting" || connection.kind === "offline";
  return pulled === "before" && !isWaiting;
}
