import type { Chat, ChatMessage, State } from "@parley/core/model/state";
import { MessageStatus } from "@parley/protocol/codes";
import { filesOf } from "@parley/protocol/message";

/** The urls of the files of messages that have been recalled between these states, as far as the messages were in memory. */
export function recalledFiles(before: State["chats"], now: State["chats"]): string[] {
  if (before.byKey === now.byKey) return [];
  return Object.values(now.byKey).flatMap((chat) => {
    const old = before.byKey[chat.key];
    // A recall is one of the events of its chat.
    return old === undefined || old.sync.events === chat.sync.events ? [] : filesRecalledIn(old, chat);
  });
}

function filesRecalledIn(old: Chat, chat: Chat): string[] {
  const isRecalled = ({ status }: ChatMessage) => status === MessageStatus.RECALL;
  const recalled = new Set(chat.window.messages.filter(isRecalled).map(({ id }) => id));
  return old.window.messages
    .filter((message) => !isRecalled(message) && recalled.has(message.id))
    .flatMap(({ type, content }) => filesOf(type, content));
}
