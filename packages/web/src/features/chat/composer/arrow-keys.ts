import type { KeyboardEvent } from "react";
import type { Client } from "@parley/core/client-api";
import type { ChatKey } from "@parley/core/model/state";
import type { ConversationUi } from "../message/conversation-ui.ts";
import { groupPermissions } from "../message/member-actions.ts";
import { MESSAGE_ACTIONS, actionLimits, lastEditable } from "../message/message-actions.ts";

/** In an empty field ↑ edits the last text that may still be edited; Ctrl with ↑ or ↓ selects the message to quote. */
export function handleArrowKey(
  event: KeyboardEvent<HTMLTextAreaElement>,
  client: Client,
  ui: ConversationUi,
  chatKey: ChatKey,
): void {
  if (event.currentTarget.value !== "" || event.altKey || event.shiftKey) return;
  const state = client.getState();
  const chat = state.chats.byKey[chatKey];
  const limits = actionLimits(state, Date.now(), true, groupPermissions(state, chatKey));
  if (event.ctrlKey || event.metaKey) {
    const messages = chat?.window.messages ?? [];
    const quotable = messages.filter((message) => MESSAGE_ACTIONS.quote.isOffered(message, limits));
    const step = event.key === "ArrowUp" ? -1 : 1;
    event.preventDefault();
    client.chats.setQuote(chatKey, nextQuoted(quotable, chat?.draftQuote?.id ?? null, step));
  } else if (event.key === "ArrowUp") {
    const last = lastEditable(chat?.window, limits);
    if (last === null) return;
    event.preventDefault();
    ui.set({ editing: last });
  }
}

/** The next older (-1) or newer (1) message to quote; null after the newest one. */
export function nextQuoted(
  messages: readonly { readonly id: number | null }[],
  current: number | null,
  step: 1 | -1,
): number | null {
  const found = current === null ? messages.length : messages.findIndex(({ id }) => id === current);
  const next = Math.max(0, (found < 0 ? messages.length : found) + step);
  return messages[next]?.id ?? null;
}
