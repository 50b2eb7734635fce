import { ChatType, MessageStatus, MessageType } from "@parley/protocol/codes";
import { kindOf } from "@parley/protocol/message";
import { positionOf } from "./rows.ts";
import { isMuted } from "./selectors.ts";
import type { Chat, ChatKey, ChatMessage, Chats } from "./state.ts";

/** Who sent a group message: 2 admin, 3 owner. */
const ADMIN_ROLE = 2;

/**
 * Whether a message that came sounds (spec §5): incoming, unread, of a normal kind, no pull running, and the chat's setting lets it.
 * Private: unless msgRemind is 0. Group: 0 always, 1 only from admins and the owner, 2 never. That it sounds at most once per second is
 * the runtime's work.
 */
export function shouldSound(
  message: ChatMessage,
  chat: Pick<Chat, "type" | "msgRemind" | "readId">,
  context: { isLoading: boolean; sendRole: number },
): boolean {
  if (context.isLoading || message.selfSend || message.id === null) return false;
  if (message.status === MessageStatus.READED || message.status === MessageStatus.RECALL) return false;
  if (positionOf(message) <= chat.readId) return false;
  if (kindOf(message.type)?.sounds !== true) return false;
  switch (chat.type) {
    case ChatType.PRIVATE:
      return chat.msgRemind !== 0;
    case ChatType.GROUP:
      if (message.type > MessageType.VIDEO) return false;
      return chat.msgRemind === 0 || (chat.msgRemind === 1 && context.sendRole >= ADMIN_ROLE);
    case ChatType.SYSTEM:
      return false;
    default:
      return chat.type satisfies never;
  }
}

/** What is worth telling of rows that came live: each that raised the unread count of a chat which is not silenced (interface §16). */
export function newsOf(
  rows: readonly { readonly key: ChatKey; readonly message: ChatMessage }[],
  before: Pick<Chats, "byKey">,
  after: Pick<Chats, "byKey">,
): News[] {
  return rows.flatMap(({ key, message }): News[] => {
    const chat = after.byKey[key];
    const position = positionOf(message);
    const isNew =
      chat !== undefined &&
      chat.book.unread.includes(position) &&
      before.byKey[key]?.book.unread.includes(position) !== true;
    if (!isNew || isMuted(chat)) return [];
    const told = { kind: "message", key, message } as const;
    return message.type === MessageType.SHAKE ? [told, { kind: "shake", key }] : [told];
  });
}

export type News =
  | { readonly kind: "message"; readonly key: ChatKey; readonly message: ChatMessage }
  | { readonly kind: "shake"; readonly key: ChatKey };
