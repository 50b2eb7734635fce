import { CHAT_TYPES, type ChatType } from "@parley/protocol/codes";

/** Up to where this client has everything that the server has. */
export interface SyncPosition {
  /** The id up to which every row of a kind is here. */
  readonly cursors: Readonly<Record<ChatType, number>>;
  /** The state of the change feed that is here; null for none. */
  readonly changesToken: string | null;
  /** The token of changes that are applied or buffered; it counts once the rows that these changes concern have arrived. */
  readonly nextToken: string | null;
}

/** What is known about the rows of one kind on this connection. */
export interface PullProgress {
  /** The pull has ended, so that pushes leave no gap. */
  readonly isDone: boolean;
  /** The highest id that was received. */
  readonly newest: number;
  /** An action waits for its answer, which a later pull may have to bring. */
  readonly isPaused: boolean;
}

/** The position of a client that has nothing. */
export const SYNC_START: SyncPosition = {
  cursors: { PRIVATE: 0, GROUP: 0, SYSTEM: 0 },
  changesToken: null,
  nextToken: null,
};

/** The position after everything that has arrived; a cursor never moves back. */
export function advancePosition(
  position: SyncPosition,
  progressOf: (type: ChatType) => PullProgress,
): SyncPosition {
  const cursors = { ...position.cursors };
  for (const type of CHAT_TYPES) {
    const { isDone, newest, isPaused } = progressOf(type);
    if (isDone && !isPaused) cursors[type] = Math.max(cursors[type], newest);
  }
  const isComplete = CHAT_TYPES.every((type) => progressOf(type).isDone);
  return isComplete && position.nextToken !== null
    ? { cursors, changesToken: position.nextToken, nextToken: null }
    : { ...position, cursors };
}
