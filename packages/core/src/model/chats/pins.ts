import { MessageStatus } from "@parley/protocol/codes";
import type { Chat, ChatKey, ChatMessage, State } from "../state.ts";
import { isRemovedByModerator } from "./removed-by-moderator.ts";

/** The pinned messages of a chat, as the server has told them. */
export interface PinnedMessages {
  readonly messages: readonly ChatMessage[];
  /** How many others there are that I do not see. */
  readonly unseen: number;
}

const NOTHING: PinnedMessages = { messages: [], unseen: 0 };

/** Whether a message shows as pinned, with my acts that the server has not confirmed. */
export function isPinned(
  { id, extra, status }: Pick<ChatMessage, "id" | "extra" | "status">,
  { unsentActs }: Pick<State, "unsentActs">,
): boolean {
  if (id === null || status === MessageStatus.RECALL) return false;
  return unsentActs[id]?.findLast(({ kind }) => kind === "pin")?.on ?? extra?.pin !== undefined;
}

/**
 * The pinned messages of a chat as they show, the one that was pinned last first: those that the server has told, and those in memory, which
 * may have changed since. What was deleted or removed meanwhile is left out.
 */
export function shownPins(
  { messages, unseen }: PinnedMessages = NOTHING,
  chat: Pick<Chat, "window" | "sync"> | undefined,
  state: Pick<State, "unsentActs">,
): PinnedMessages {
  const byId = new Map(messages.map((message) => [message.id, message]));
  for (const message of chat?.window.messages ?? []) {
    const told = byId.get(message.id);
    // A recall is no newer extra.
    const isNewer = told === undefined || (message.extra?.v ?? 0) >= (told.extra?.v ?? 0);
    if (message.id !== null && (isNewer || message.status === MessageStatus.RECALL))
      byId.set(message.id, message);
  }
  const isGone = (message: ChatMessage) =>
    chat !== undefined &&
    (chat.sync.deletedForMe.includes(message.id ?? 0) ||
      isRemovedByModerator(message, chat.sync.removedByModerator));
  const shown = [...byId.values()].filter((message) => isPinned(message, state) && !isGone(message));
  // What the server has not confirmed was pinned just now.
  const pinnedAt = ({ extra }: ChatMessage) => extra?.pin?.at ?? Infinity;
  return {
    messages: shown.toSorted((one, other) => {
      const [a, b] = [pinnedAt(one), pinnedAt(other)];
      return a === b ? (other.id ?? 0) - (one.id ?? 0) : b - a;
    }),
    unseen,
  };
}

/** The pinned messages of all chats that were asked for, by their key. */
export type Pins = Readonly<Partial<Record<ChatKey, PinnedMessages>>>;
