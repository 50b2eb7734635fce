import { MessageType } from "@parley/protocol/codes";
import { TIME_TIP_GAP_MS } from "@parley/protocol/limits";
import { positionOf } from "./rows.ts";
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

const UNREAD_KEY = "unread";
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/**
 * Rows of a chat's window. `unreadAfter`: the divider stands above the first message of others with a larger id; null for none.
 * Day borders are those of the given offset (minutes east of UTC).
 */
export function timeline(chat: Chat, unreadAfter: number | null, utcOffsetMinutes: number): TimelineRow[] {
  const rows: TimelineRow[] = [];
  /** The message row the next one may join. */
  let above: Extract<TimelineRow, { kind: "message" }> | null = null;
  let isDividerDue = unreadAfter !== null;
  for (const message of chat.window.messages) {
    if (message.type === MessageType.TIP_TIME) {
      above = null;
      rows.push({ kind: "time", key: message.key, time: message.sendTime });
      continue;
    }
    if (message.hasTimeTip) {
      above = null;
      rows.push({ kind: "time", key: `time:${message.key}`, time: message.sendTime });
    }
    if (isDividerDue && !message.selfSend && positionOf(message) > (unreadAfter ?? 0)) {
      isDividerDue = false;
      above = null;
      rows.push({ kind: "unread", key: UNREAD_KEY });
    }
    if (message.type === MessageType.TIP_TEXT) {
      above = null;
      rows.push({ kind: "tip", key: message.key, message });
      continue;
    }
    const joins: boolean = above !== null && belongTogether(above.message, message, utcOffsetMinutes);
    if (joins && above !== null) {
      rows[rows.length - 1] = { ...above, place: above.place === "single" ? "top" : "mid" };
    }
    above = { kind: "message", key: message.key, message, place: joins ? "end" : "single" };
    rows.push(above);
  }
  return rows;
}

function belongTogether(above: ChatMessage, message: ChatMessage, utcOffsetMinutes: number): boolean {
  return (
    above.sendId === message.sendId &&
    message.sendTime - above.sendTime <= TIME_TIP_GAP_MS &&
    dayOf(above.sendTime, utcOffsetMinutes) === dayOf(message.sendTime, utcOffsetMinutes)
  );
}

/** Days since 1970 in the given offset. */
export function dayOf(time: number, utcOffsetMinutes: number): number {
  return Math.floor((time + utcOffsetMinutes * MINUTE_MS) / DAY_MS);
}
