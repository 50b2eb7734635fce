import { MessageType } from "@parley/protocol/codes";
import { kindOf } from "@parley/protocol/message";
import { positionOf } from "./chat-rows.ts";
import type { Chat, ChatMessage } from "../state.ts";

/** One row of a conversation. Its key stays the same as long as the row exists. */
export type TimelineRow =
  | { readonly kind: "time"; readonly key: string; readonly time: number }
  | { readonly kind: "unread"; readonly key: string }
  | { readonly kind: "tip"; readonly key: string; readonly message: ChatMessage }
  | {
      readonly kind: "message";
      readonly key: string;
      readonly message: ChatMessage;
      /** Its position in a run of messages: one sender, one day, at most 10 minutes apart, no tip between (interface §6). */
      readonly runPosition: "single" | "top" | "mid" | "end";
    };

/** Messages further apart have a time between them (spec §9). */
export const TIME_TIP_GAP_MS = 600_000;
const UNREAD_KEY = "unread";
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/**
 * Rows of a chat's window, top to bottom. `unreadAfter`: the divider is above the first message of others with a larger position; null for
 * no divider. Days begin at midnight of the given offset (minutes east of UTC).
 */
export function timeline(chat: Chat, unreadAfter: number | null, utcOffsetMinutes: number): TimelineRow[] {
  const rows: TimelineRow[] = [];
  /** The message row whose run the next one may join. */
  let previousRow: Extract<TimelineRow, { kind: "message" }> | null = null;
  let isDividerDue = unreadAfter !== null;
  for (const message of chat.window.messages) {
    if (message.type === MessageType.TIP_TIME) {
      previousRow = null;
      rows.push({ kind: "time", key: message.key, time: message.sendTime });
      continue;
    }
    if (message.hasTimeTip) {
      previousRow = null;
      rows.push({ kind: "time", key: `time:${message.key}`, time: message.sendTime });
    }
    if (isDividerDue && !message.selfSend && positionOf(message) > (unreadAfter ?? 0)) {
      isDividerDue = false;
      previousRow = null;
      rows.push({ kind: "unread", key: UNREAD_KEY });
    }
    if (kindOf(message.type)?.isTip === true) {
      previousRow = null;
      rows.push({ kind: "tip", key: message.key, message });
      continue;
    }
    const isJoining: boolean =
      previousRow !== null && isSameRun(previousRow.message, message, utcOffsetMinutes);
    if (isJoining && previousRow !== null) {
      rows[rows.length - 1] = {
        ...previousRow,
        runPosition: previousRow.runPosition === "single" ? "top" : "mid",
      };
    }
    previousRow = { kind: "message", key: message.key, message, runPosition: isJoining ? "end" : "single" };
    rows.push(previousRow);
  }
  return rows;
}

function isSameRun(previous: ChatMessage, message: ChatMessage, utcOffsetMinutes: number): boolean {
  return (
    previous.sendId === message.sendId &&
    message.sendTime - previous.sendTime <= TIME_TIP_GAP_MS &&
    dayOf(previous.sendTime, utcOffsetMinutes) === dayOf(message.sendTime, utcOffsetMinutes)
  );
}

/** Days since 1970 in the given offset. */
export function dayOf(time: number, utcOffsetMinutes: number): number {
  return Math.floor((time + utcOffsetMinutes * MINUTE_MS) / DAY_MS);
}
