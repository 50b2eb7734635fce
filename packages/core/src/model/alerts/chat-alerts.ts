import { ChatType, GroupRole, MessageType } from "@parley/protocol/codes";
import { isUnread } from "../chats/insert-row.ts";
import { positionOf } from "../chats/chat-rows.ts";
import type { Chat, ChatKey, ChatMessage, Chats } from "../state.ts";

/**
 * Whether a chat's setting lets a message alert. Private: unless msgRemind is 0. Group: 0 all, 1 what admins and the owner write and, where
 * that alerts, what names me, 2 nothing.
 */
export function canAlert(
  { type, msgRemind }: Pick<Chat, "type" | "msgRemind">,
  { group }: Pick<ChatMessage, "group">,
  mentionsMe: boolean,
): boolean {
  if (type !== ChatType.GROUP) return msgRemind !== 0;
  if (msgRemind !== 1) return msgRemind === 0;
  return mentionsMe || (group?.sendRole ?? GroupRole.MEMBER) >= GroupRole.ADMIN;
}

/** Of a message that counts as unread here. */
export function isMentionedIn({ sync }: Pick<Chat, "sync">, { id }: Pick<ChatMessage, "id">): boolean {
  return sync.mentions.some((mention) => mention.id === id);
}

/**
 * Whether a message that came sounds (spec §5): incoming, unread, of a normal kind, no pull running, and the chat's setting lets it, which
 * a mention does not change. That it sounds at most once per second is the runtime's work.
 */
export function shouldSound(
  message: ChatMessage,
  chat: Pick<Chat, "type" | "msgRemind" | "readId">,
  { isLoading }: { isLoading: boolean },
): boolean {
  if (isLoading || message.id === null || !isUnread({ chat }, message)) return false;
  if (chat.type === ChatType.SYSTEM) return false;
  if (chat.type === ChatType.GROUP && message.type > MessageType.VIDEO) return false;
  return canAlert(chat, message, false);
}

/** What is worth telling of rows that came live: each that raised the unread count and that its chat lets alert (interface §16). */
export function alertsOf(
  rows: readonly { readonly key: ChatKey; readonly message: ChatMessage }[],
  before: Pick<Chats, "byKey">,
  after: Pick<Chats, "byKey">,
): ChatAlert[] {
  return rows.flatMap(({ key, message }): ChatAlert[] => {
    const chat = after.byKey[key];
    const position = positionOf(message);
    const isNew =
      chat !== undefined &&
      chat.sync.unread.includes(position) &&
      before.byKey[key]?.sync.unread.includes(position) !== true;
    if (!isNew || !canAlert(chat, message, isMentionedIn(chat, message))) return [];
    const alert = { kind: "message", key, message } as const;
    return message.type === MessageType.SHAKE ? [alert, { kind: "nudge", key }] : [alert];
  });
}

export type ChatAlert =
  | { readonly kind: "message"; readonly key: ChatKey; readonly message: ChatMessage }
  | { readonly kind: "nudge"; readonly key: ChatKey };
