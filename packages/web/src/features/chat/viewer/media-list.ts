import { MessageStatus, MessageType } from "@parley/protocol/codes";
import { imageContent, videoContent } from "@parley/protocol/message";
import { parseObject } from "@parley/core/model/parse-object";
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

/** What a message says about its picture or video. Urls are relative. */
export interface Media {
  readonly kind: "picture" | "video";
  readonly url: string;
  readonly thumbUrl: string;
  readonly placeholder: string | null;
  readonly width: number;
  readonly height: number;
}

/** The picture or video of a message; null if it is not uploaded yet, or a foreign client sent something unreadable. */
export function mediaOf(message: ChatMessage): Media | null {
  const content = parseObject(message.content);
  if (message.type === MessageType.IMAGE) {
    const { success, data } = imageContent.safeParse(content);
    if (!success) return null;
    const { originUrl, thumbUrl, width, height, placeholder = null } = data;
    return { kind: "picture", url: originUrl, thumbUrl, placeholder, width, height };
  }
  const { success, data } = videoContent.safeParse(content);
  if (!success) return null;
  const { videoUrl, coverUrl, width, height, placeholder = null } = data;
  return { kind: "video", url: videoUrl, thumbUrl: coverUrl, placeholder, width, height };
}

/** The time in a file name, in the reader's time zone: `2026-06-17 16.08.12`. */
export function fileTime(time: number): string {
  const two = (value: number) => String(value).padStart(2, "0");
  const date = new Date(time);
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join("-");
  return `${day} ${[date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(".")}`;
}

/** The extension of the file at this url, with its dot. */
export function extensionOf(url: string): string {
  return /\.[a-z0-9]{1,8}$/i.exec(url)?.[0].toLowerCase() ?? "";
}
