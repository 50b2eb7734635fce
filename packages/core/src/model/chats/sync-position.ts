import { CHAT_TYPES, type ChatType } from "@parley/protocol/codes";
import type { QueryOf } from "@parley/protocol/endpoint";
import type { loadChanges } from "@parley/protocol/endpoints/changes";

/** Up to where this client has everything that the server has. */
export interface SyncPosition {
  /** The id up to which every row of a kind is here. */
  readonly cursors: Readonly<Record<ChatType, number>>;
  /** The state of the change feed that is here; null for none. */
  readonly changesToken: string | null;
  /** The token of changes that are applied or buffered; it counts once the rows that these changes concern have arrived. */
  readonly nextToken: string | null;
  /** The version up to which every extra of a message here is here; null: no message is here yet. */
  readonly extrasSince: number | null;
  /** The version of the extras that arrived with the last answer of the feed, until they are applied; null for none. */
  readonly nextExtras: number | null;
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
  extrasSince: null,
  nextExtras: null,
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
  const extrasSince = position.nextExtras ?? position.extrasSince;
  const applied = { ...position, cursors, extrasSince, nextExtras: null };
  const isComplete = CHAT_TYPES.every((type) => progressOf(type).isDone);
  return isComplete && position.nextToken !== null
    ? { ...applied, changesToken: position.nextToken, nextToken: null }
    : applied;
}

/** What the next call of the change feed names. `hasFeed`: everything of the feed up to the token is here. */
export function feedQuery(position: SyncPosition, hasFeed: boolean): QueryOf<typeof loadChanges> {
  return {
    since: hasFeed ? (position.changesToken ?? undefined) : undefined,
    // A client of 0.1.0 has stored messages and no version of their extras.
    extrasSince: position.extrasSince ?? (hasMessages(position) ? 0 : undefined),
  };
}

/** The position when a pull of everything begins, whose rows have all extras up to this version: what the first pulls have counts together. */
export function withPulledExtras(position: SyncPosition, version: number): SyncPosition {
  if (position.changesToken !== null) return position;
  return { ...position, extrasSince: Math.min(position.extrasSince ?? version, version) };
}

function hasMessages({ cursors }: SyncPosition): boolean {
  return CHAT_TYPES.some((type) => cursors[type] > 0);
}
