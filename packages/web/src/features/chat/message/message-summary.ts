import { previewOf } from "@parley/core/model/chats/preview";
import { isMaskedQuote } from "@parley/core/model/chats/row-events";
import type { ChatMessage } from "@parley/core/model/state";
import { MessageStatus } from "@parley/protocol/codes";
import type { Text } from "../../../kit/i18n.ts";
import { previewText } from "../../../kit/preview-text.ts";

/** A message as one line of text: its text, or a label for its kind. `me` is the reader's id, for tips that are about the reader. */
export function messageSummary(
  message: Pick<ChatMessage, "type" | "content"> & Partial<ChatMessage>,
  t: Text,
  me: number | null = null,
): string {
  const full: ChatMessage = { ...EMPTY_MESSAGE, ...message };
  return previewText(previewOf(full), t, me);
}

/** The text of a quote: the current version of the quoted message. */
export function quoteSummary(quote: { type: number; content: string; status?: number }, t: Text): string {
  if (quote.status === MessageStatus.RECALL) return t("chat.quoteRecalled");
  if (isMaskedQuote(quote)) return t("chat.quoteHidden");
  return messageSummary({ type: quote.type, content: quote.content }, t);
}

const EMPTY_MESSAGE: ChatMessage = {
  key: "",
  id: null,
  tmpId: null,
  type: 0,
  sendId: 0,
  sendNickName: "",
  content: "",
  sendTime: 0,
  status: MessageStatus.SENDED,
  selfSend: false,
  sending: null,
  failure: null,
  quoteMessage: null,
  isEdited: false,
  editedAt: null,
  tip: null,
  act: null,
  hasTimeTip: false,
  system: null,
  group: null,
};
