import type { ChatType } from "@parley/protocol/codes";
import {
  advancePosition,
  SYNC_START,
  type SyncPosition,
  withPulledExtras,
} from "../model/chats/sync-position.ts";
import { numbersByType } from "../model/schemas.ts";
import type { Pulls } from "../connection/pulls.ts";
import type { ValuesToSave } from "../storage/stored-values.ts";
import { type ChatDeps, NO_POSITIONS } from "./chat-store.ts";

/** Up to where this client has everything, and of which database of the server, as the local database remembers it. */
export interface SyncState {
  restore(): Promise<void>;
  position(): SyncPosition;
  /** Whether all pulls have ended on this device before: only then the token of the change feed is kept. */
  hasPulled(): boolean;
  /** The epoch of the server's database; null: none yet. */
  epoch(): string | null;
  setEpoch(epoch: string): void;
  /** The token of changes that are applied or buffered, which counts from the next complete position on. */
  setNextToken(token: string | null): void;
  /** The version of extras that are applied or buffered; null: it is not known. */
  setNextExtras(version: number | null): void;
  /** The rows of a pull of everything have all extras up to this version. */
  setPulledExtras(version: number): void;
  /** Moves to the position after the inputs that are being applied now; returns what to save in one write with them. */
  advance(pulls: Pick<Pulls, "isDone" | "newestPosition">): ValuesToSave;
  /** Keeps the cursor of a kind where it is until the returned function is called. */
  pauseCursor(type: ChatType): () => void;
  /** Everything has to be loaded again. */
  forget(): void;
  save(): void;
}

/** Creates the state of a client that has nothing; `restore` loads what the local database remembers. */
export function createSyncState({
  database,
  chatStore,
}: Pick<ChatDeps, "database" | "chatStore">): SyncState {
  let position = SYNC_START;
  let epoch: string | null = null;
  const pauses: Record<ChatType, number> = { ...NO_POSITIONS };

  function values(): ValuesToSave {
    const { cursors, changesToken, extrasSince } = position;
    return { cursors, historyStart: chatStore.historyStart, changesToken, extrasSince };
  }

  return {
    async restore() {
      // Read the epoch first: another tab may write between the reads, and cursors of one epoch must not be used in the next.
      const [storedEpoch, storedCursors, storedToken, storedExtras] = await Promise.all(
        (["epoch", "cursors", "changesToken", "extrasSince"] as const).map((key) => database.value(key)),
      );
      const { data: cursors } = numbersByType.safeParse(storedCursors);
      if (cursors !== undefined) position = { ...position, cursors };
      if (typeof storedToken === "string") position = { ...position, changesToken: storedToken };
      if (typeof storedExtras === "number") position = { ...position, extrasSince: storedExtras };
      if (typeof storedEpoch === "string") epoch = storedEpoch;
    },
    position: () => position,
    hasPulled: () => position.changesToken !== null,
    epoch: () => epoch,
    setEpoch(newEpoch) {
      if (epoch === newEpoch) return;
      epoch = newEpoch;
      database.save({ values: { epoch } });
    },
    setNextToken(nextToken) {
      position = { ...position, nextToken };
    },
    setNextExtras(version) {
      position = { ...position, nextExtras: version };
    },
    setPulledExtras(version) {
      position = withPulledExtras(position, version);
    },
    advance(pulls) {
      position = advancePosition(position, (type) => ({
        isDone: pulls.isDone(type),
        newest: pulls.newestPosition(type),
        isPaused: pauses[type] > 0,
      }));
      return values();
    },
    pauseCursor(type) {
      pauses[type]++;
      return () => {
        pauses[type]--;
      };
    },
    forget() {
      position = SYNC_START;
    },
    save: () => database.save({ values: { epoch, ...values() } }),
  };
}
