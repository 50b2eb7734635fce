import { MessageStatus, MessageType } from "@parley/protocol/codes";
import type { ChatMessage, ChatWindow } from "@parley/core/model/state";
import { currentMessage } from "../message/current-message.ts";

/** Whether the viewer shows messages of this type. */
function isMedia({ type }: Pick<ChatMessage, "type">): boolean {
  return type === MessageType.IMAGE || type === MessageType.VIDEO;
}

/**
 * All known pictures and videos of a chat, in the order of their messages: those of the window, and those of the pages. What was recalled or
 * deleted is left out.
 */
export function listMessages(window: ChatWindow, pages: readonly ChatMessage[]): readonly ChatMessage[] {
  const inWindow = window.messages.filter((one) => isMedia(one) && one.status !== MessageStatus.RECALL);
  const known = new Set(inWindow.map((one) => one.key));
  const others = pages.flatMap((one) => {
    if (known.has(one.key) || !isMedia(one)) return [];
    known.add(one.key);
    return currentMessage(one, window) ?? [];
  });
  // Sorting is stable: messages without an id, which are not sent yet, stay in their order at the end.
  return [...others, ...inWindow].sort((a, b) => compareIds(a.id ?? Infinity, b.id ?? Infinity));
}

const compareIds = (a: number, b: number) => (a === b ? 0 : a - b);
