import { MessageStatus } from "@parley/protocol/codes";
import { indexTerms } from "@parley/protocol/search-text";
import { searchedText } from "@parley/protocol/searched-text";
import type { ChatMessage } from "../model/state.ts";

/** The words of a message that a search looks at, as on the server; empty for none. Notices are not searched. */
export function wordsOf({ type, content, status, system }: ChatMessage): string {
  return status === MessageStatus.RECALL || system !== null ? "" : searchedText(type, content);
}

/** What the disk finds a message by. */
export function termsOf(message: ChatMessage): readonly string[] {
  const words = wordsOf(message);
  return words === "" ? [] : indexTerms(words);
}
