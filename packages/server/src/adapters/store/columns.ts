import type { StoredMessage } from "../../ports/stored-message.ts";

/** The columns that hold the fields of a port's row. A boolean is 0 or 1. */
export type Columns<Row> = { [Field in keyof Row]: Row[Field] extends boolean ? number : Row[Field] };

/** The columns of messages. Rows are changed by edits and recalls but never deleted: the next id is counted from the newest. */
export interface MessageColumns extends Columns<Omit<StoredMessage, "tip" | "act" | "quote">> {
  /** JSON, as is `act`. */
  tip: string | null;
  act: string | null;
  /** The quoted message; for an edit (7) the message that it changes. */
  quoteId: number | null;
}
