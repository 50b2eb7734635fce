/** Rows that cannot be read: each is replaced by a placeholder, so that the other rows of a list stay readable. */
import { channel } from "node:diagnostics_channel";
import { MessageType } from "@parley/protocol/codes";

/** Diagnostics channel that gets a message for each unreadable row that is read. */
export const UNREADABLE_ROW_CHANNEL = "parley:unreadable";

/** A message on `UNREADABLE_ROW_CHANNEL`. */
export interface UnreadableRow {
  table: string;
  id: number;
  error: unknown;
}

/** In both languages, because the reader's language is not known here. */
const PLACEHOLDER = "此消息已损坏，无法显示 / This message is damaged and cannot be shown";

const rowChannel = channel(UNREADABLE_ROW_CHANNEL);

/** Reports an unreadable row on the channel. */
export function reportUnreadableRow(table: string, id: number, error: unknown): void {
  rowChannel.publish({ table, id, error } satisfies UnreadableRow);
}

/** The content of the placeholder of an unreadable message. */
export const PLACEHOLDER_CONTENT = {
  type: MessageType.TIP_TEXT,
  content: PLACEHOLDER,
  tip: null,
  act: null,
  quote: null,
} as const;
