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
      readonly runPosition: RunPosition;
    }
  | {
      /** 2 to 9 pictures of a run, drawn as one grid (interface §6). Each stays a message of its own. */
      readonly kind: "pictures";
      readonly key: string;
      readonly messages: readonly ChatMessage[];
      readonly runPosition: RunPosition;
    };

/** The position of a row in a run. */
type RunPosition = "single" | "top" | "mid" | "end";
type RunRow = Extract<TimelineRow, { kind: "message" | "pictures" }>;

/** Messages further apart have a time between them (spec §9). */
export const TIME_TIP_GAP_MS = 600_000;
/** More pictures begin another grid. */
const GRID_MAX = 9;
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
  let previousRow: RunRow | null = null;
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
    const before: ChatMessage | undefined = previousRow === null ? undefined : messagesOf(previousRow).at(-1);
    const isJoining: boolean = before !== undefined && isSameRun(before, message, utcOffsetMinutes);
    if (isJoining && previousRow !== null) {
      const grid = withPicture(previousRow, message);
      if (grid !== null) {
        previousRow = grid;
        rows[rows.length - 1] = grid;
        continue;
      }
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

/** The messages of a row, top to bottom; none in a row that shows no message. */
export function messagesOf(row: TimelineRow): readonly ChatMessage[] {
  switch (row.kind) {
    case "pictures":
      return row.messages;
    case "message":
    case "tip":
      return [row.message];
    case "time":
    case "unread":
      return [];
  }
}

/** The grid of the row's pictures and the next message of its run; null if they do not make one. */
function withPicture(row: RunRow, message: ChatMessage): RunRow | null {
  const messages = messagesOf(row);
  if (messages.length >= GRID_MAX || !isGridPicture(message) || !messages.every(isGridPicture)) return null;
  return { kind: "pictures", key: row.key, messages: [...messages, message], runPosition: row.runPosition };
}

/** A picture with a quote, a failure or a receipt needs a row of its own. */
function isGridPicture({ type, quoteMessage, sending, group }: ChatMessage): boolean {
  return (
    type === MessageType.IMAGE && quoteMessage === null && sending !== "failed" && group?.receipt !== true
  );
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
