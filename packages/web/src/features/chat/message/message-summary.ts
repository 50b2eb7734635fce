import { parseChatKey } from "@parley/core/model/chats/chat-rows";
import { type PreviewedMessage, previewOf } from "@parley/core/model/chats/preview";
import { isMaskedQuote } from "@parley/core/model/chats/row-events";
import { fileSize, playTime } from "@parley/core/model/format";
import type { ChatKey } from "@parley/core/model/state";
import { ChatType, MessageStatus, MessageType } from "@parley/protocol/codes";
import { memberNameOf } from "../../../kit/chats/group.ts";
import { type Translate, useText } from "../../../kit/i18n/i18n.ts";
import { usePerson } from "../../../kit/people/person.ts";
import { previewText } from "../../../kit/chats/preview-text.ts";
import { useClientState } from "../../../kit/loading/use-client.ts";
import { fileOf, type MediaMessage, pictureOf, videoSeconds, voiceOf } from "./media/media-content.ts";

/** A message as one line of text: its text, or a label for its kind. `me` is the reader's id, for tips that are about the reader. */
export function messageSummary(message: PreviewedMessage, t: Translate, me: number | null = null): string {
  return previewText(previewOf(message), t, me);
}

/** A picture, file, voice message or video in words: its kind with size or length; null for other kinds. */
export function mediaLabel(message: MediaMessage, t: Translate): string | null {
  const file = fileOf(message);
  if (file !== null) return t("media.fileLabel", { name: file.name, size: fileSize(file.size) });
  const voice = voiceOf(message);
  if (voice !== null) return t("media.voiceLabel", { seconds: Math.round(voice.duration) });
  const picture = pictureOf(message);
  if (picture === null) return null;
  const { width, height } = picture;
  const size = { width: String(width), height: String(height) };
  if (message.type === MessageType.IMAGE)
    return width > 0 && height > 0 ? t("media.pictureLabel", size) : t("media.picture");
  const seconds = videoSeconds(message);
  return seconds === null ? t("media.video") : t("media.videoLabel", { time: playTime(seconds) });
}

/** A message in words for screen readers. */
export function messageLabel(message: PreviewedMessage & MediaMessage, t: Translate): string {
  return mediaLabel(message, t) ?? messageSummary(message, t);
}

/** The text of a quote: the current version of the quoted message. */
export function quoteSummary(
  quote: { type: number; content: string; status?: number },
  t: Translate,
): string {
  if (quote.status === MessageStatus.RECALL) return t("chat.quoteRecalled");
  if (isMaskedQuote(quote)) return t("chat.quoteHidden");
  const { type, content } = quote;
  const file = fileOf(quote);
  if (file !== null) return `${t("preview.file")} ${file.name}`;
  const voice = voiceOf(quote);
  if (voice !== null) return `${t("preview.audio")} ${playTime(voice.duration)}`;
  return messageSummary({ type, content, tip: null, sendId: 0, sending: null, system: null }, t);
}

/** The name of a sender in this chat: "me", the name in the group, or the person's name. */
export function useSenderName(chatKey: ChatKey, userId: number, fallback: string | null): string {
  const t = useText();
  const person = usePerson(userId);
  const chat = parseChatKey(chatKey);
  const memberName = useClientState((state) =>
    chat?.type === ChatType.GROUP ? memberNameOf(state, chat.targetId, userId, fallback, t) : null,
  );
  return person.relation === "me" ? t("chat.me") : (memberName ?? person.name);
}
