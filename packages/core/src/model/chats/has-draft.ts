import { isVisible } from "@parley/protocol/text";
import type { Chat } from "../state.ts";

/** Whether a chat has something that was begun and not sent: a text, a quote, an edit or files. */
export function hasDraft({
  draft,
  draftQuote,
  draftEdit,
  draftFiles,
}: Pick<Chat, "draft" | "draftQuote" | "draftEdit" | "draftFiles">): boolean {
  return isVisible(draft) || draftQuote !== null || draftEdit !== null || draftFiles.length > 0;
}
