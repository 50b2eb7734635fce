import { allowsAlert } from "@parley/protocol/alert-level";
import { ChatType } from "@parley/protocol/codes";
import { kindOf } from "@parley/protocol/message";
import { isUnread } from "../chats/insert-row.ts";
import { positionOf } from "../chats/chat-rows.ts";
import type { Chat, ChatKey, ChatMessage, Chats } from "../state.ts";

/** Whether a chat's alert level lets a message alert (`allowsAlert`). */
export function canAlert(
  { type, msgRemind }: Pick<Chat, "type" | "msgRemind">,
  { group }: Pick<ChatMessage, "group">,
  mentionsMe: boolean,
): boolean {
  return allowsAlert({ type, msgRemind }, { sendRole: group?.sendRole ?? null, mentionsMe });
}

/** Whether a message is an unread one that mentions me. */
export function isMentionedIn({ sync }: Pick<Chat, "sync">, { id }: Pick<ChatMessage, "id">): boolean {
  return sync.mentions.some((mention) => mention.id === id);
}

/**
 * Whether a new message plays a sound (spec §5): it is incoming, unread and of a normal kind, no pull runs, and the alert level allows it.
 * Mentions make no difference. The caller limits sounds to one per second.
 */
export function shouldSound(
  message: ChatMessage,
  chat: Pick<Chat, "type" | "msgRemind" | "readId">,
  { isLoading }: { isLoading: boolean },
): boolean {
  if (isLoading || message.id === null || !isUnread({ chat }, message)) return false;
  if (chat.type === ChatType.SYSTEM) return false;
  if (chat.type === ChatType.GROUP && kindOf(message.type)?.hasGroupSound !== true) return false;
  return canAlert(chat, message, false);
}

/** Alerts for pushed rows: one for each row that raised the unread count and that the alert level of its chat allows (interface §16). */
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
    return kindOf(message.type)?.shakesWindow === true ? [alert, { kind: "nudge", key }] : [alert];
  });
}

/** Something that the app reports to the person: a new message, or a nudge. */
export type ChatAlert =
  | { readonly kind: "message"; readonly key: ChatKey; readonly message: ChatMessage }
  | { readonly kind: "nudge"; readonly key: ChatKey };
