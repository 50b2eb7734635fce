/** Rows that cannot be read: each costs its own place in a list, and not the list. */
import { channel } from "node:diagnostics_channel";
import { MessageType } from "@parley/protocol/codes";

/** Told of each time that one is met: `{ table, id, error }`. */
export const UNREADABLE_ROW_CHANNEL = "parley:unreadable";

export interface UnreadableRow {
  table: string;
  id: number;
  error: unknown;
}

/** In the two languages that most read: nobody here knows whose eyes it is for. */
const PLACEHOLDER = "此消息已损坏，无法显示 / This message is damaged and cannot be shown";

const rowChannel = channel(UNREADABLE_ROW_CHANNEL);

export function reportUnreadableRow(table: string, id: number, error: unknown): void {
  rowChannel.publish({ table, id, error } satisfies UnreadableRow);
}

/** What stands in place of a message. */
export const PLACEHOLDER_CONTENT = {
  type: MessageType.TIP_TEXT,
  content: PLACEHOLDER,
  tip: null,
  act: null,
  quote: null,
} as const;
