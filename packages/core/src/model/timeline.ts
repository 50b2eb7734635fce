import type { Chat, ChatMessage } from "./state.ts";

/** One row of a conversation, top to bottom. Keys stay the same while their row stays. */
export type TimelineRow =
  | { readonly kind: "time"; readonly key: string; readonly time: number }
  | { readonly kind: "unread"; readonly key: string }
  | { readonly kind: "tip"; readonly key: string; readonly message: ChatMessage }
  | {
      readonly kind: "message";
      readonly key: string;
      readonly message: ChatMessage;
      /** Where it stands among neighbours of the same sender: same day, at most 10 minutes apart, no tip between (interface §6). */
      readonly place: "single" | "top" | "mid" | "end";
    };

/**
 * Rows of a chat's window. `unreadAfter`: the divider stands above the first message of others with a larger id; null for none.
 * Day borders are those of the given offset (minutes east of UTC).
 */
export function timeline(_chat: Chat, _unreadAfter: number | null, _utcOffsetMinutes: number): TimelineRow[] {
  return [];
}
