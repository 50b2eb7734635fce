import { MessageStatus } from "@parley/protocol/codes";
import { indexTerms } from "@parley/protocol/search-text";
import { searchableContent } from "@parley/protocol/searchable-content";
import type { ChatMessage } from "../model/state.ts";

/** The text of a message that a search compares, the same as on the server; empty for none. Notices are not searched. */
export function searchableText({ type, content, status, system }: ChatMessage): string {
  return status === MessageStatus.RECALL || system !== null ? "" : searchableContent(type, content);
}

/** The terms by which the local database indexes a message. */
export function searchTermsOf(message: ChatMessage): readonly string[] {
  const text = searchableText(message);
  return text === "" ? [] : indexTerms(text);
}
