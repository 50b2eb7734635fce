/** What rows of private chats and of groups have in common. */

export interface Appended<Row> {
  row: Row;
  isNew: boolean;
}

/** A quoted row as it stands now; `content` is empty once it is recalled. */
export interface QuotedRow {
  id: number;
  sendId: number;
  content: string;
  type: number;
  isRecalled: boolean;
}
