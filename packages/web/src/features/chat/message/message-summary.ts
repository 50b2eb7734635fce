import { previewOf, type PreviewedMessage } from "@parley/core/model/chats/preview";
import { isMaskedQuote } from "@parley/core/model/chats/row-events";
import { MessageStatus } from "@parley/protocol/codes";
import type { Text } from "../../../kit/i18n.ts";
import { previewText } from "../../../kit/preview-text.ts";

/** A message as one line of text: its text, or a label for its kind. `me` is the reader's id, for tips that are about the reader. */
export function messageSummary(message: PreviewedMessage, t: Text, me: number | null = null): string {
  return previewText(previewOf(message), t, me);
}

/** The text of a quote: the current version of the quoted message. */
export function quoteSummary(quote: { type: number; content: string; status?: number }, t: Text): string {
  if (quote.status === MessageStatus.RECALL) return t("chat.quoteRecalled");
  if (isMaskedQuote(quote)) return t("chat.quoteHidden");
  const { type, content } = quote;
  return messageSummary({ type, content, tip: null, sendId: 0, sending: null, system: null }, t);
}
