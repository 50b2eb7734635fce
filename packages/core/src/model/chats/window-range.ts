import type { Chat, ChatMessage, ChatWindow, IdRange } from "../state.ts";
import { type JumpTarget, outerId, type Side } from "./message-page.ts";

/** Which messages of a chat the window has: those in memory. */

/** The range in which a window with these confirmed messages has every message. */
export function windowRangeOf(
  { hasOlder, hasNewer }: Pick<ChatWindow, "hasOlder" | "hasNewer">,
  confirmed: readonly ChatMessage[],
): IdRange {
  return {
    from: hasOlder ? (confirmed[0]?.id ?? Infinity) : 0,
    to: hasNewer ? (confirmed.at(-1)?.id ?? Infinity) + 1 : Infinity,
  };
}

/** The messages of the window that the server has acknowledged. */
export function confirmedOf(chat: Chat | undefined): readonly ChatMessage[] {
  return chat?.window.messages.filter((message) => message.id !== null) ?? [];
}

/** The end of the window: its first id, or the id after its last one. */
export function edgeOf(chat: Chat, side: Side): number {
  return outerId(windowRangeOf(chat.window, confirmedOf(chat)), side);
}

/** Whether there is more on this side that is not being loaded. */
export function canLoadMore({ window }: Chat, side: Side): boolean {
  return side === "older"
    ? window.hasOlder && window.older !== "loading"
    : window.hasNewer && window.newer !== "loading";
}

/** Whether the window has this id, if the chat has it. */
export function isInWindow(chat: Chat, id: number): boolean {
  const { from, to } = windowRangeOf(chat.window, confirmedOf(chat));
  return from <= id && id < to;
}

/** The id to show for a target that is certainly in the window; null when it may be outside. */
export function findInWindow(chat: Chat, to: JumpTarget): number | null {
  const { window } = chat;
  const confirmed = confirmedOf(chat);
  const isWithin =
    "id" in to
      ? isInWindow(chat, to.id)
      : (!window.hasOlder || (confirmed[0]?.sendTime ?? Infinity) < to.time) &&
        (!window.hasNewer || (confirmed.at(-1)?.sendTime ?? 0) >= to.time);
  return isWithin ? nearestId(chat, to) : null;
}

/** The id of the message itself, else of the first one after it, else of the last one in the window. */
export function nearestId(chat: Chat | undefined, to: JumpTarget): number | null {
  const confirmed = confirmedOf(chat);
  const target = confirmed.find((message) =>
    "id" in to ? (message.id ?? 0) >= to.id : message.sendTime >= to.time,
  );
  return (target ?? confirmed.at(-1))?.id ?? null;
}
