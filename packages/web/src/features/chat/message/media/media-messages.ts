import { MessageStatus, MessageType } from "@parley/protocol/codes";
import type { MediaKind } from "@parley/core/client-api";
import type { Chat, ChatMessage } from "@parley/core/model/state";
import { linksOf } from "../bubbles/link-parts.ts";
import { currentMessage } from "../current-message.ts";

const IS_OF_KIND: Readonly<Record<MediaKind, (message: ChatMessage) => boolean>> = {
  pictures: ({ type }) => type === MessageType.IMAGE || type === MessageType.VIDEO,
  files: ({ type }) => type === MessageType.FILE,
  links: ({ type, content }) => type === MessageType.TEXT && linksOf(content).length > 0,
};

/**
 * All known messages of a chat with media of a kind, in their order: those of the window, and those of the pages. Recalled and
 * deleted ones are left out.
 */
export function mediaMessages(
  chat: Pick<Chat, "window" | "sync">,
  pages: readonly ChatMessage[],
  kind: MediaKind,
): readonly ChatMessage[] {
  const isOfKind = IS_OF_KIND[kind];
  const inWindow = chat.window.messages.filter((one) => isOfKind(one) && one.status !== MessageStatus.RECALL);
  const known = new Set(inWindow.map((one) => one.key));
  const others = pages.flatMap((one) => {
    const current = currentMessage(one, chat);
    if (current === null || known.has(current.key) || !isOfKind(current)) return [];
    known.add(current.key);
    return [current];
  });
  // Sorting is stable: messages without an id, which are not sent yet, stay in their order at the end.
  return [...others, ...inWindow].sort((a, b) => compareIds(a.id ?? Infinity, b.id ?? Infinity));
}

const compareIds = (a: number, b: number) => (a === b ? 0 : a - b);
